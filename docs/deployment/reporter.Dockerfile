# The reporter for Kubernetes: one file on the official image of Node.js. Build it in a clone of the toolkit:
# docker build --file docs/deployment/reporter.Dockerfile --tag registry.example.com/evidence-reporter:0.1.0 .
FROM node:24-alpine AS build
WORKDIR /toolkit
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts
COPY scripts scripts
COPY src src
RUN npm run build:reporter -- /reporter

FROM node:24-alpine
COPY --from=build /reporter /reporter
USER 1000:1000
# By default, V8's heap may grow to the memory limit of the container, which then kills the process.
ENV NODE_OPTIONS="--max-semi-space-size=8 --max-old-space-size-percentage=50"
ENTRYPOINT ["node", "/reporter/index.js"]
