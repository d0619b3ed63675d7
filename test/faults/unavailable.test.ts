import { describe, expect, test } from "vitest";
import { closedPort, httpServer, json, tcpServer } from "../api/local-server.ts";
import { each, expectFailure, runSample, sampleOf } from "./samples.ts";
import { annotations } from "./step.ts";

/** The actions that can continue without the service, and the allowed values of on-unavailable. */
const LENIENT = [sampleOf("attest"), sampleOf("report-env")];
// A snapshot is true only now, so it is not spooled.
const MODES: Readonly<Record<string, readonly string[]>> = {
  attest: ["fail", "warn", "spool"],
  "report-env": ["fail", "warn"],
};
const QUICK = { retries: "1", timeout: "2" };

/** Ways in which a service can be unavailable, with the message of each. */
const DOWN: readonly [string, () => Promise<string>, RegExp][] = [
  [
    "does not exist",
    async () => `http://127.0.0.1:${await closedPort()}`,
    /connection refused \(.*, 2 attempts\)/,
  ],
  ["never answers", async () => (await tcpServer(() => {})).url, /no complete answer within 2 s/],
  ["breaks off", async () => (await tcpServer((socket) => socket.destroy())).url, /, 2 attempts\)/],
  [
    "answers 503",
    async () => (await httpServer((response) => json(response, 503, { message: "not now" }))).url,
    /not now \(.*, status 503, 2 attempts\)/,
  ],
];

describe("when the service is unavailable", () => {
  test.each(DOWN)(
    "on-unavailable: warn lets the step pass without evidence if the service %s",
    (_, start, reason) =>
      each(LENIENT, async (sample) => {
        const inputs = { ...QUICK, "on-unavailable": "warn" };
        const step = await runSample(sample, { baseUrl: await start(), inputs });
        expect(annotations(step.stdout)).toEqual([]);
        expect(step).toMatchObject({ status: 0, stderr: "", outputs: { status: "skipped" } });
        const warnings = annotations(step.stdout, "warning");
        expect(warnings).toEqual([expect.stringMatching(reason)]);
        expect(warnings[0]).toMatch(/^Nothing was recorded: /);
      }),
  );

  test("the step fails with the last reason by default", () =>
    each(LENIENT, async (sample) => {
      const server = await httpServer((response) => json(response, 500, { message: "disk full" }));
      const step = await runSample(sample, { baseUrl: server.url, inputs: QUICK });
      expectFailure(sample, step, /disk full \(.*, status 500, 2 attempts\)/);
      expect(step.outputs["status"] ?? "").toBe("");
    }));

  test("a gate has no input that would let it pass", async () => {
    const gate = sampleOf("assert-artifact");
    const baseUrl = `http://127.0.0.1:${await closedPort()}`;
    const inputs = { ...QUICK, "on-unavailable": "warn", "fail-on-non-compliant": "false" };
    const step = await runSample(gate, { baseUrl, inputs });
    expectFailure(gate, step, "connection refused");
    expect(step.outputs["compliant"]).toBe("false");
  });
});

describe("a permanent error always fails a step:", () => {
  test("a rejected request", () =>
    each(LENIENT, async (sample) => {
      const server = await httpServer((response) => json(response, 404, { message: "no, thank you" }));
      const modes = MODES[sample.name] ?? [];
      for (const mode of modes) {
        const inputs = { ...QUICK, "on-unavailable": mode };
        const step = await runSample(sample, { baseUrl: server.url, inputs });
        expectFailure(sample, step, "no, thank you");
      }
      expect(server.received).toHaveLength(modes.length);
    }));

  test("an invalid response: a web page", () =>
    each(LENIENT, async (sample) => {
      const page = await httpServer((response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<html>Log in</html>"),
      );
      const inputs = { ...QUICK, "on-unavailable": "warn" };
      expectFailure(sample, await runSample(sample, { baseUrl: page.url, inputs }), "not JSON");
    }));
});
