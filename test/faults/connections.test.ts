import { createServer } from "node:http";
import { expect, test } from "vitest";
import { httpServer, json, listening, tcpServer } from "../api/local-server.ts";
import { expectFailure, expectSuccess, runSample, runSampleBundle, sampleOf } from "./samples.ts";
import { STAGES } from "./slow-servers.ts";

const attest = sampleOf("attest");
const RETRIED_ONCE = { retries: "1" };
const MAYBE_RECORDED = "It may or may not have been recorded.";

/** Speeds timers up tenfold, those for connecting as well as those for the deadline. */
const HURRY = `
const set = globalThis.setTimeout;
globalThis.setTimeout = (act, milliseconds, ...given) => set(act, milliseconds / 10, ...given);
`;

test.each(["before it accepts the connection", "in the TLS handshake"])(
  "a connection that stalls %s is abandoned long before the deadline, and retried",
  async (stage) => {
    const server = await (STAGES[stage] ?? expect.fail("no such stage"))();
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HURRY)}` };
    const step = await runSampleBundle(attest, { baseUrl: server.url, env, inputs: RETRIED_ONCE });
    expectFailure(attest, step, /^no connection was made in time \(.*, 2 attempts\)/);
    expect(step.stdout).not.toContain("may have been recorded");
  },
);

test("an incomplete response is discarded and the request retried", async () => {
  const half = "HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\nOK";
  const server = await tcpServer((socket) => socket.once("data", () => socket.end(half)));
  const step = await runSample(attest, { baseUrl: server.url, inputs: RETRIED_ONCE });
  expectFailure(
    attest,
    step,
    /^the response was cut off \(127\.0\.0\.1:\d+, \w+, status 201, 2 attempts\)/,
    MAYBE_RECORDED,
  );
  expect(server.connections()).toBe(2);
});

test("after a reset that follows the whole upload, the record may exist even if every later attempt fails", async () => {
  const server = await httpServer((response) => response.socket?.resetAndDestroy());
  const step = await runSample(attest, { baseUrl: server.url, inputs: { retries: "0" } });
  expectFailure(attest, step, /^the connection was reset \(/, MAYBE_RECORDED);

  const closing = createServer((request, response) => {
    request.resume().on("end", () => {
      closing.close();
      response.socket?.resetAndDestroy();
    });
  });
  const baseUrl = `http://127.0.0.1:${await listening(closing)}`;
  const refusedLater = await runSample(attest, { baseUrl, inputs: RETRIED_ONCE });
  expectFailure(attest, refusedLater, /^connection refused \(.*, 2 attempts\)/, MAYBE_RECORDED);
});

test("100 Continue is accepted even if the request did not ask for it", async () => {
  const body = JSON.stringify("OK");
  const head = "HTTP/1.1 201 Created\r\ncontent-type: application/json";
  const answer = `${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const server = await tcpServer((socket) =>
    socket.once("data", () => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${answer}`)),
  );
  expectSuccess(attest, await runSample(attest, { baseUrl: server.url, inputs: { retries: "0" } }));
});

test("a submission whose response is lost is sent again under its key, so that it can be recorded once", async () => {
  const server = await httpServer((response, _, count) => {
    if (count === 1) response.destroy();
    else json(response, 201, "OK");
  });
  const step = await runSample(attest, { baseUrl: server.url });
  expectSuccess(attest, step);
  expect(step.stdout).toContain("an earlier attempt may have been recorded as well");
  expect(new Set(server.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(server.received).toHaveLength(2);
});
