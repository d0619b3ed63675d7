import { createServer } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { atTheEnd } from "../../scripts/bench/peak-memory.ts";
import { closedPort, httpServer, json, listening, tcpServer } from "../api/local-server.ts";
import { each, expectFailure, expectSuccess, runSample, SAMPLES, type Sample, sampleOf } from "./samples.ts";
import { STAGES } from "./slow-servers.ts";

const RETRIED_ONCE = { retries: "1" };

test("a connection that is refused is tried again by every action and then named", () =>
  each(SAMPLES, async (sample) => {
    const port = await closedPort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const step = await runSample(sample, { baseUrl, inputs: RETRIED_ONCE });
    expectFailure(
      sample,
      step,
      new RegExp(`^connection refused \\(127\\.0\\.0\\.1:${port}, \\w+, 2 attempts\\)`),
    );
    expect(step.stdout).toMatch(/^Attempt 1 of 2 failed: .*connection refused/m);
  }));

test("a host that no name server knows is tried again by every action and then named", () =>
  each(SAMPLES, async (sample) => {
    const baseUrl = "https://evidence-service.invalid";
    const step = await runSample(sample, { baseUrl, inputs: RETRIED_ONCE });
    expectFailure(
      sample,
      step,
      /^(the host name is not known|the name server did not answer) \(evidence-service\.invalid, \w+, 2 attempts\)/,
    );
  }));

/** Makes the time of timers pass ten times as fast: of those for connecting as of those for the deadline. */
const HURRY = `
const set = globalThis.setTimeout;
globalThis.setTimeout = (act, milliseconds, ...given) => set(act, milliseconds / 10, ...given);
`;

test.each(["before it accepts the connection", "in the TLS handshake"])(
  "a connection that stalls %s is given up long before the deadline, and tried again by every action",
  (stage) =>
    each(SAMPLES, async (sample) => {
      const server = await (STAGES[stage] ?? expect.fail("no such stage"))();
      const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HURRY)}` };
      const step = await runSample(sample, { baseUrl: server.url, env, inputs: RETRIED_ONCE });
      expectFailure(sample, step, /^no connection was made in time \(.*, 2 attempts\)/);
      expect(step.stdout).not.toContain("may have been recorded");
    }),
);

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const BREAKS: readonly [string, (socket: Socket) => void][] = [
  ["before it has read anything", (socket) => socket.resetAndDestroy()],
  ["before the headers", (socket) => socket.once("data", () => socket.resetAndDestroy())],
  ["in the middle of its headers", (socket) => socket.once("data", () => socket.end("HTTP/1.1 201 Cre"))],
  [
    "in the middle of an answer of a known length",
    (socket) => socket.once("data", () => socket.end(`${HEAD}content-length: 100\r\n\r\n{"pa`)),
  ],
  [
    "in the middle of an answer in chunks",
    (socket) =>
      socket.once("data", () => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n4\r\n{"pa\r\n`)),
  ],
];

describe("a service that breaks off is asked again by every action, and half an answer is none:", () => {
  test.each(BREAKS)("%s", (_, breakOff) =>
    each(SAMPLES, async (sample) => {
      const server = await tcpServer(breakOff);
      const step = await runSample(sample, { baseUrl: server.url, inputs: RETRIED_ONCE });
      expectFailure(sample, step, /^.+ \(127\.0\.0\.1:\d+, \w+, 2 attempts\)/);
      expect(server.connections()).toBe(2);
    }),
  );

  test("in the middle of an upload", async () => {
    const sample = sampleOf("attest");
    const server = await tcpServer((socket) => {
      socket.once("data", () => setTimeout(() => socket.resetAndDestroy(), 20));
      socket.on("data", () => socket.pause());
    });
    const files = { "report.txt": "x".repeat(9_000_000) };
    const step = await runSample(sample, { baseUrl: server.url, files, inputs: RETRIED_ONCE });
    expectFailure(sample, step, /, 2 attempts\)/);
    expect(server.connections()).toBe(2);
  });

  test("and is content the second time, which is a success", () =>
    each(SAMPLES, async (sample) => {
      const server = await breakingOnce(sample);
      expectSuccess(sample, await runSample(sample, { baseUrl: server.url }));
    }));
});

/** Takes the whole request, records it and answers it, but its first answer is lost. */
async function breakingOnce(sample: Sample) {
  let first = true;
  return httpServer((response, { path }) => {
    if (!first) return json(response, 201, sample.answer(path));
    first = false;
    response.destroy();
  });
}

test("a submission whose answer is lost is sent again under the same key, so that it can be recorded once", async () => {
  const sample = sampleOf("attest");
  const server = await breakingOnce(sample);
  const step = await runSample(sample, { baseUrl: server.url });
  expectSuccess(sample, step);
  expect(step.stdout).toContain("an earlier attempt may have been recorded as well");
  expect(new Set(server.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(server.received).toHaveLength(2);
});

test("an answer without end is cut at the cap by every action, and memory stays bounded", () =>
  each([sampleOf("attest"), sampleOf("root")], async (sample) => {
    let sent = 0;
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = Buffer.alloc(1024 * 1024, "a");
      const more = () => {
        while (sent < 1024 && response.writable) {
          sent++;
          if (!response.write(chunk)) return response.once("drain", more);
        }
        return response.end();
      };
      response.on("error", () => {});
      more();
    });
    const baseUrl = `http://127.0.0.1:${await listening(server)}`;
    const step = await runSample(sample, {
      baseUrl,
      // The step tells the most memory that it ever had, in kB.
      env: { NODE_OPTIONS: `--import=${TELL_MEMORY}` },
    });
    expectFailure(sample, { ...step, stderr: "" }, "is larger than 20 MB");
    expect(Number(/peak (\d+)/.exec(step.stderr)?.[1])).toBeLessThan(250_000);
    expect(sent).toBeLessThan(200);
  }));

test("an answer of exactly 20 MB is read, and none of a byte more", () =>
  each([sampleOf("attest"), sampleOf("begin-trail")], async (sample) => {
    const limit = 20 * 1024 * 1024;
    const server = await httpServer((response, _, count) =>
      response
        .writeHead(201, { "x-template-match": "result=met" })
        .end(Buffer.alloc(count === 1 ? limit : limit + 1, "a")),
    );
    expectSuccess(sample, await runSample(sample, { baseUrl: server.url }));
    expectFailure(sample, await runSample(sample, { baseUrl: server.url }), "is larger than 20 MB");
    expect(server.received).toHaveLength(2);
  }));

const TELL_MEMORY = atTheEnd('process.stderr.write("peak " + peak);');

test("work that never settles is not a success: with nothing left to wait for, the step fails and says so", () =>
  each(SAMPLES, async (sample) => {
    const server = await tcpServer(() => {});
    const step = await runSample(sample, {
      baseUrl: server.url,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LOSE_EVERYTHING)}` },
    });
    expectFailure(sample, step, "The action came to its end without an outcome");
  }));

/** A bug for a test: no connection is made, and no timer keeps the process alive. */
const LOSE_EVERYTHING = `
import net from "node:net";
net.Socket.prototype.connect = function () { return this; };
const set = globalThis.setTimeout;
globalThis.setTimeout = (...args) => set(...args).unref();
`;

test("a server that speaks no HTTP is told as that", () =>
  each(SAMPLES, async (sample) => {
    const server = await tcpServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
    const step = await runSample(sample, { baseUrl: server.url, inputs: { retries: "0" } });
    expectFailure(sample, step, "what answered does not speak HTTP");
  }));
