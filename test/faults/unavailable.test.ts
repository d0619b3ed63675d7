import { describe, expect, test } from "vitest";
import { closedPort, httpServer, json, tcpServer } from "../api/local-server.ts";
import { each, expectFailure, runSample, SAMPLES, sampleOf } from "./samples.ts";
import { annotations } from "./step.ts";

/** The actions that can go on without the service. */
const LENIENT = [sampleOf("attest"), sampleOf("report-env")];
/** What they can be told to do then; what runs somewhere is true only now, and is not kept. */
const MODES: Readonly<Record<string, readonly string[]>> = {
  attest: ["fail", "warn", "spool"],
  "report-env": ["fail", "warn"],
};

/** How a service can be unavailable, and what is said of it. */
const DOWN: readonly [string, () => Promise<string>, RegExp][] = [
  [
    "is not there",
    async () => `http://127.0.0.1:${await closedPort()}`,
    /connection refused \(.*, 2 attempts\)/,
  ],
  [
    "is not to be found",
    async () => "https://evidence-service.invalid",
    /\(evidence-service\.invalid, \w+, 2 attempts\)/,
  ],
  ["never answers", async () => (await tcpServer(() => {})).url, /no complete answer within 2 s/],
  ["breaks off", async () => (await tcpServer((socket) => socket.destroy())).url, /, 2 attempts\)/],
  ...[429, 500, 502, 503, 504].map((status): [string, () => Promise<string>, RegExp] => [
    `answers ${status}`,
    async () => (await httpServer((response) => json(response, status, { message: "not now" }))).url,
    new RegExp(`not now \\(.*, status ${status}, 2 attempts\\)`),
  ]),
];
const REFUSALS = [400, 401, 403, 404, 413, 422];
const QUICK = { retries: "1", timeout: "2" };

describe("when the service is unavailable", () => {
  test.each(DOWN)("because it %s, every action fails with the last reason", (_, start, reason) =>
    each(SAMPLES, async (sample) => {
      const step = await runSample(sample, { baseUrl: await start(), inputs: QUICK });
      expectFailure(sample, step, reason);
      expect(step.outputs["status"] ?? "").toBe("");
    }),
  );

  test.each(DOWN)(
    "because it %s, on-unavailable: warn lets the step pass without evidence",
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
});

describe("a refusal always fails, since it would fail again:", () => {
  test.each(REFUSALS)("%i", (status) =>
    each(LENIENT, async (sample) => {
      const server = await httpServer((response) => json(response, status, { message: "no, thank you" }));
      const modes = MODES[sample.name] ?? [];
      for (const mode of modes) {
        const inputs = { ...QUICK, "on-unavailable": mode };
        const step = await runSample(sample, { baseUrl: server.url, inputs });
        expectFailure(sample, step, "no, thank you");
      }
      expect(server.received).toHaveLength(modes.length);
    }),
  );

  test("and so does what proves nothing: a redirect, a web page", () =>
    each(LENIENT, async (sample) => {
      const inputs = { ...QUICK, "on-unavailable": "warn" };
      const redirect = await httpServer((response) => response.writeHead(302, { location: "/login" }).end());
      expectFailure(sample, await runSample(sample, { baseUrl: redirect.url, inputs }), "redirected");
      const page = await httpServer((response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<html>Log in</html>"),
      );
      expectFailure(sample, await runSample(sample, { baseUrl: page.url, inputs }), "not JSON");
    }));
});

test("a gate has no input that would let it pass while the service is down", async () => {
  const gate = sampleOf("assert-artifact");
  const baseUrl = `http://127.0.0.1:${await closedPort()}`;
  const inputs = { ...QUICK, "on-unavailable": "warn", "fail-on-non-compliant": "false" };
  const step = await runSample(gate, { baseUrl, inputs });
  expectFailure(gate, step, "connection refused");
  expect(step.outputs["compliant"]).toBe("false");
});
