import { createServer } from "node:https";
import { describe, expect, test } from "vitest";
import { archiveOf, gitHubWith } from "../actions/spool-artifacts.ts";
import { selfSigned } from "../api/certificates.ts";
import { httpServer, json, listening } from "../api/local-server.ts";
import { GITHUB_TOKEN, replaySample } from "./replays.ts";
import { expectFailure, runSample, type Sample } from "./samples.ts";

/** Expects the message to count what is left, and nothing to be recorded. */
const LEFT = { status: "left", replayed: "0", found: "0", left: "2" };

/** The replay action, for two submissions that an earlier run spooled, and the requests to GitHub. */
async function replayOfTwo() {
  const { github } = await gitHubWith({ archive: await archiveOf("v1", "unit", "lint") });
  const sample: Sample = {
    ...(await replaySample()),
    inputs: { "github-token": GITHUB_TOKEN, retries: "1" },
    env: { GITHUB_API_URL: github.url },
  };
  return { sample, github };
}

/** A service that always returns this. */
async function answering(status: number, message: string) {
  const { url, received } = await httpServer((response) => json(response, status, { message }));
  return { baseUrl: url, requestCount: () => received.length };
}

/** A service with an untrusted certificate. */
async function unknown() {
  let connections = 0;
  const server = createServer(selfSigned(["localhost"])).on("tlsClientError", () => {});
  server.on("connection", () => connections++);
  return { baseUrl: `https://localhost:${await listening(server)}`, requestCount: () => connections };
}

// The cause that stops one submission stops the others too, so the second is not tried.
describe("replay keeps what it cannot record, and shows the reason:", () => {
  test.each([
    [
      "a rejected key",
      () => answering(401, "expired"),
      1,
      /the API key was rejected: expired \(.*, status 401\)/,
    ],
    ["a temporary fault", () => answering(500, "disk full"), 2, /disk full \(.*, status 500, 2 attempts\)/],
    ["a self-signed certificate", unknown, 1, /the certificate is self-signed \(.*\)\n.*NODE_EXTRA_CA_CERTS/],
  ])("%s", async (_, begin, attempts, expected) => {
    const { sample } = await replayOfTwo();
    const { baseUrl, requestCount } = await begin();
    const step = await runSample(sample, { baseUrl });
    expectFailure(sample, step, expected);
    expect(step.outputs).toEqual(LEFT);
    expect(requestCount()).toBe(attempts);
  });
});

test("replay rejects invalid inputs before any request", async () => {
  const { sample, github } = await replayOfTwo();
  const inputs = { "base-url": "http://10.0.0.1" };
  const step = await runSample(sample, { inputs });
  expectFailure(sample, step, "base-url: is http://, which would send the key unencrypted");
  expect(github.requests).toEqual([]);
});
