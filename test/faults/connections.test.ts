import { expect, test } from "vitest";
import { httpServer, json, tcpServer } from "../api/local-server.ts";
import { expectFailure, expectSuccess, runSample, sampleOf } from "./samples.ts";
import { STAGES } from "./slow-servers.ts";

const attest = sampleOf("attest");
const RETRIED_ONCE = { retries: "1" };

/** Makes the time of timers pass ten times as fast: of those for connecting as of those for the deadline. */
const HURRY = `
const set = globalThis.setTimeout;
globalThis.setTimeout = (act, milliseconds, ...given) => set(act, milliseconds / 10, ...given);
`;

test.each(["before it accepts the connection", "in the TLS handshake"])(
  "a connection that stalls %s is given up long before the deadline, and tried again",
  async (stage) => {
    const server = await (STAGES[stage] ?? expect.fail("no such stage"))();
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HURRY)}` };
    const step = await runSample(attest, { baseUrl: server.url, env, inputs: RETRIED_ONCE });
    expectFailure(attest, step, /^no connection was made in time \(.*, 2 attempts\)/);
    expect(step.stdout).not.toContain("may have been recorded");
  },
);

test("half an answer is none, and the service is asked again", async () => {
  const half = "HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\nOK";
  const server = await tcpServer((socket) => socket.once("data", () => socket.end(half)));
  const step = await runSample(attest, { baseUrl: server.url, inputs: RETRIED_ONCE });
  expectFailure(attest, step, /^.+ \(127\.0\.0\.1:\d+, \w+, 2 attempts\)/);
  expect(server.connections()).toBe(2);
});

test("a submission whose answer is lost is sent again under its key, so that it can be recorded once", async () => {
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
