# The client's commands on the official image of Node.js, for CI systems whose jobs run in images. Build it in a clone of
# the toolkit: docker build --file docs/deployment/client.Dockerfile --tag registry.example.com/evidence-client:0.1.0 .
FROM node:24-alpine AS build
WORKDIR /toolkit
COPY package.json package-lock.json tsconfig.json LICENSE README.md ./
RUN npm ci --ignore-scripts
COPY scripts scripts
COPY src src
RUN npm run build:packages -- /packages

FROM node:24-alpine
# Reads the commit that a job has checked out.
RUN apk add --no-cache git
COPY --from=build --chmod=755 /packages/cli.js /usr/local/bin/delivery-evidence
USER node
