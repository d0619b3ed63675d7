import { describe, expect, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import { startReplayCommand } from "./replays.ts";
import { expectFailure, runSample, sampleOf } from "./samples.ts";
import { notReading, STAGES } from "./slow-servers.ts";

const attest = sampleOf("attest");
/** The shortest possible deadline: one second for all requests to the service. */
const SHORT = { timeout: "1" };

describe("the deadline ends a step when the service stalls", () => {
  test.each(Object.entries(STAGES))("%s", async (_, stall) => {
    const server = await stall();
    const step = await runSample(attest, { baseUrl: server.url, inputs: SHORT });
    expectFailure(attest, step, /^no complete answer within 1 s \(/, "It may or may not have been recorded");
    await expect.poll(() => server.open()).toBe(0);
  });

  test("without reading the request", async () => {
    const server = await notReading();
    const files = { "report.txt": Buffer.alloc(10_000_000, "x") };
    const step = await runSample(attest, { baseUrl: server.url, inputs: SHORT, files });
    expectFailure(attest, step, "within 1 s", "It may or may not have been recorded");
  });

  test("while the step waits for the next attempt, and the reason for it is shown", async () => {
    const server = await httpServer((response) => json(response, 503, { message: "busy" }));
    const inputs = { ...SHORT, retries: "20" };
    expectFailure(attest, await runSample(attest, { baseUrl: server.url, inputs }), /status 503/, /timeout/);
  });
});

test("the deadline ends a replay on the command line", async () => {
  const server = await (STAGES["after its headers"] ?? expect.fail("no such stage"))();
  const { ended } = await startReplayCommand({ baseUrl: server.url, options: ["--timeout", "1"] });
  expect(await ended).toEqual({
    status: 1,
    signal: null,
    stdout: "0 recorded, 0 already recorded, 1 left\n",
    stderr: expect.stringContaining("no complete answer within 1 s ("),
  });
  expect(server.open()).toBe(0);
});

test("all calls of a step share one deadline", async () => {
  const sample = sampleOf("begin-trail");
  // Each call alone would meet the deadline.
  const server = await httpServer((response, _, count) => {
    setTimeout(() => json(response, 201, "OK"), count === 1 ? 500 : 2900);
  });
  const inputs = { "flow-description": "the shop", timeout: "3" };
  const step = await runSample(sample, { baseUrl: server.url, inputs });
  expectFailure(sample, step, "within 3 s");
  expect(step.stdout).toContain("Created flow 'web'");
});
