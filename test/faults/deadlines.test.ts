import { describe, expect, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import { replaySample, startReplayCommand } from "./replays.ts";
import { each, expectFailure, runSample, SAMPLES, sampleOf } from "./samples.ts";
import { notReading, STAGES } from "./slow-servers.ts";

/** Seconds for all work with the service, in these tests. */
const TIMEOUT = 1;
/** Far more than the half second that is promised, which the bench measures: a busy machine is slow to start a process. */
const GENEROUS = 30;

describe("the deadline ends every action when the service stalls", () => {
  test.each(Object.entries(STAGES))("%s", async (stage, stall) =>
    each([...SAMPLES, await replaySample()], async (sample) => {
      const server = await stall();
      const step = await runSample(sample, { baseUrl: server.url, inputs: { timeout: String(TIMEOUT) } });
      expectFailure(sample, step, new RegExp(`^no complete answer within ${TIMEOUT} s \\(`));
      if (sample.writes) expect(step.stdout).toContain("It may or may not have been recorded");
      expect(step.seconds, stage).toBeGreaterThanOrEqual(TIMEOUT);
      expect(step.seconds, stage).toBeLessThan(TIMEOUT + GENEROUS);
      expect(server.open()).toBe(0);
    }),
  );

  test("without reading what it is sent", async () => {
    const sample = sampleOf("attest");
    const server = await notReading();
    const files = { "report.txt": "x".repeat(10_000_000) };
    const inputs = { timeout: String(TIMEOUT) };
    const step = await runSample(sample, { baseUrl: server.url, inputs, files });
    expectFailure(sample, step, `within ${TIMEOUT} s`, "It may or may not have been recorded");
    expect(step.seconds).toBeLessThan(TIMEOUT + GENEROUS);
  });

  test("while it waits for the next attempt, and the reason for it is told", async () =>
    each([...SAMPLES, await replaySample()], async (sample) => {
      const server = await httpServer((response) => json(response, 503, { message: "busy" }));
      const inputs = { timeout: String(TIMEOUT), retries: "20" };
      const step = await runSample(sample, { baseUrl: server.url, inputs });
      expectFailure(sample, step, /status 503/, /timeout/);
      expect(step.seconds).toBeLessThan(TIMEOUT + GENEROUS);
    }));
});

test.each(Object.entries(STAGES))("the deadline ends a replay at the command line: %s", async (_, stall) => {
  const server = await stall();
  const options = ["--timeout", String(TIMEOUT)];
  const { ended } = await startReplayCommand({ baseUrl: server.url, options });
  const { seconds, ...told } = await ended;
  expect(told).toEqual({
    status: 1,
    signal: null,
    stdout: "0 recorded, 0 on record already, 1 left\n",
    stderr: expect.stringContaining(`no complete answer within ${TIMEOUT} s (`),
  });
  expect(seconds).toBeGreaterThanOrEqual(TIMEOUT);
  expect(seconds).toBeLessThan(TIMEOUT + GENEROUS);
  expect(server.open()).toBe(0);
});

test("all calls of a step have one deadline together", async () => {
  const sample = sampleOf("begin-trail");
  // Each call alone would be in time.
  const server = await httpServer((response) => void setTimeout(() => json(response, 201, "OK"), 4000));
  const step = await runSample(sample, {
    baseUrl: server.url,
    inputs: { "flow-description": "the shop", timeout: "6" },
  });
  expectFailure(sample, step, "within 6 s");
  expect(step.stdout).toContain("Flow 'web' was created");
});
