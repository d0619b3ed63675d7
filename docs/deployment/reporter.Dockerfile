# The reporter for Kubernetes: one file on the official image of Node.js. Build it in a clone of the toolkit:
# docker build --file docs/deployment/reporter.Dockerfile --tag registry.example.com/evidence-reporter:0.1.0 .
FROM node:24-alpine
COPY dist/reporter/index.js /reporter/index.js
COPY dist/reporter/package.json /reporter/package.json
USER 1000:1000
# V8 lets short-lived objects pile up to 100 MB unless told.
ENV NODE_OPTIONS=--max-semi-space-size=8
ENTRYPOINT ["node", "/reporter/index.js"]
