import { describe, expect, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import {
  contentService,
  each,
  expectFailure,
  expectSuccess,
  READERS,
  requestsOf,
  runSample,
  SAMPLES,
  type Sample,
  sampleOf,
  WRITERS,
} from "./samples.ts";
import { annotations } from "./step.ts";

/** A service that answers its first requests in turn and is content with all that follow. */
function atFirst(
  sample: Sample,
  answers: readonly { status: number; body?: unknown; headers?: Record<string, string> }[],
) {
  return httpServer((response, { path }, count) => {
    const { status, body, headers } = answers[count - 1] ?? { status: 201 };
    json(response, status, body ?? (status < 300 ? sample.answer(path) : { message: "not now" }), headers);
  });
}

/** A service that answers everything with the same text, and says of templates what our service says. */
function always(status: number, body: string, headers: Record<string, string> = {}) {
  const said = { "x-template-match": "result=nothing-asked", ...headers };
  return httpServer((response) => response.writeHead(status, said).end(body));
}

describe("a refusal ends every action after one attempt:", () => {
  test("400, with the field errors on lines of their own, in order", () =>
    each(SAMPLES, async (sample) => {
      const errors = { zulu: "is last", alpha: "is first", mike: "is between" };
      const body = { message: "Input payload validation failed", errors };
      const server = await httpServer((response) => json(response, 400, body));
      const step = await runSample(sample, { baseUrl: server.url });
      expectFailure(
        sample,
        step,
        /^Input payload validation failed \(127\.0\.0\.1:\d+, \w+, status 400\)\nalpha: is first\nmike: is between\nzulu: is last$/,
      );
      expect(server.received).toHaveLength(1);
    }));

  test("404, with what the service does not know", () =>
    each(SAMPLES, async (sample) => {
      const message = "Organization 'acme' does not exist";
      const server = await httpServer((response) => json(response, 404, { message }));
      expectFailure(sample, await runSample(sample, { baseUrl: server.url }), "404", message);
      expect(server.received).toHaveLength(1);
    }));

  test("501, which is not a passing fault", () =>
    each(SAMPLES, async (sample) => {
      const server = await httpServer((response) => json(response, 501, { message: "not here" }));
      expectFailure(sample, await runSample(sample, { baseUrl: server.url }), /^not here \(.*, status 501\)/);
      expect(server.received).toHaveLength(1);
    }));

  test("409, where the operation says that it stays one", async () => {
    const sample = { ...sampleOf("root"), inputs: { operation: "createControl" } };
    const server = await httpServer((response) => json(response, 409, { message: "Control exists" }));
    const body = JSON.stringify({ identifier: "CTL-1", name: "a control" });
    const step = await runSample(sample, { baseUrl: server.url, inputs: { body } });
    expectFailure(sample, step, /^Control exists \(.*, createControl, status 409\)/);
    expect(server.received).toHaveLength(1);
  });
});

describe("a fault that passes is waited for by every action:", () => {
  test("409 twice and then a success, in three attempts, each wait told", () =>
    each(SAMPLES, async (sample) => {
      const server = await atFirst(sample, [{ status: 409 }, { status: 409 }]);
      const step = await runSample(sample, { baseUrl: server.url });
      expectSuccess(sample, step);
      expect(server.received).toHaveLength(2 + requestsOf(sample));
      expect(step.stdout).toMatch(/^Attempt 1 of 4 failed: status 409\. Trying again in \d\.\d s\.$/m);
      expect(step.stdout).toMatch(/^Attempt 2 of 4 failed: status 409\. Trying again in \d\.\d s\.$/m);
      expect(new Set(server.received.slice(0, 3).map(({ body }) => body.toString())).size).toBe(1);
    }));

  test("429 with a Retry-After of a second, which is not come back before", () =>
    each(SAMPLES, async (sample) => {
      const asked: number[] = [];
      const server = await httpServer((response, { path }) => {
        asked.push(performance.now());
        if (asked.length === 1) json(response, 429, { message: "slowly" }, { "retry-after": "1" });
        else json(response, 201, sample.answer(path));
      });
      expectSuccess(sample, await runSample(sample, { baseUrl: server.url }));
      expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(990);
    }));

  test("but not for a day: the step ends at once with the wait that was asked for", () =>
    each(SAMPLES, async (sample) => {
      const headers = { "retry-after": "86400" };
      const server = await httpServer((response) => json(response, 503, { message: "closed" }, headers));
      const step = await runSample(sample, { baseUrl: server.url });
      expectFailure(
        sample,
        step,
        "status 503, and the service asks for a wait of 86400 s before the next attempt",
      );
      expect(server.received).toHaveLength(1);
      expect(step.seconds).toBeLessThan(20);
    }));

  test("and one that stays is told with the service's words and the number of attempts", () =>
    each(SAMPLES, async (sample) => {
      const server = await httpServer((response) => json(response, 500, { message: "disk full" }));
      const step = await runSample(sample, { baseUrl: server.url, inputs: { retries: "2" } });
      expectFailure(sample, step, /^disk full \(.*, status 500, 3 attempts\)/);
      expect(server.received).toHaveLength(3);
    }));

  test.each([502, 503, 504])("%i with the page of a gateway, of which only the start is shown", (status) =>
    each(SAMPLES, async (sample) => {
      const page = `<html>\n<h1>Bad\tgateway</h1>${"x".repeat(5_000)}</html>`;
      const server = await always(status, page, { "content-type": "text/html; charset=utf-8" });
      const step = await runSample(sample, { baseUrl: server.url, inputs: { retries: "1" } });
      const start = "<html> <h1>Bad gateway</h1>".padEnd(200, "x");
      expectFailure(sample, step, `text/html "${start}" (127.0.0.1:`, `, status ${status}, 2 attempts)`);
      expect(step.stdout).not.toMatch(/JSON\.parse|Unexpected token/);
      expect(server.received).toHaveLength(2);
    }),
  );
});

describe("a success is what the service answers to a write:", () => {
  test.each([
    [201, '"OK"'],
    [201, "OK"],
    [201, ""],
    [201, '{"message":"OK","more":[1]}'],
    [200, '"updated"'],
    [202, ""],
    [204, ""],
  ])("%i %j", (status, body) =>
    each(WRITERS, async (sample) => {
      const server = await always(status, body);
      expectSuccess(sample, await runSample(sample, { baseUrl: server.url }));
      expect(server.received).toHaveLength(1);
    }),
  );

  test("with fields that nobody here knows, which are warned of only where the list is closed", () =>
    each([sampleOf("root"), sampleOf("assert-artifact")], async (sample) => {
      const server = await httpServer((response, { path }) =>
        json(response, 200, Object.assign({}, sample.answer(path), { of_the_future: 1 })),
      );
      const step = await runSample(sample, { baseUrl: server.url });
      expectSuccess(sample, step);
      expect(annotations(step.stdout, "warning")).toEqual(
        sample.name === "root" ? ["the answer has fields that are not known here: of_the_future"] : [],
      );
    }));
});

describe("an answer that proves nothing is no success:", () => {
  test("a web page, of whatever status says all is well", () =>
    each(SAMPLES, async (sample) => {
      // Either is enough: its type, or its first words.
      const pages = { "text/html": "<p>Log in</p>", "text/plain": "<!doctype html><title>Log in</title>" };
      for (const [type, page] of Object.entries(pages)) {
        const server = await always(200, page, { "content-type": type });
        const step = await runSample(sample, { baseUrl: server.url });
        expectFailure(sample, step, `not JSON: ${type} "${page}" (`);
      }
    }));

  test.each([
    ["", "not JSON: an empty body ("],
    ["fine", 'not JSON: application/json "fine" ('],
    ['{"page":1,', 'not JSON: application/json "{"page":1," ('],
    ["null", "the answer is JSON of another shape"],
    ["[]", "the answer is JSON of another shape"],
  ])("to a read, %j", (body, said) =>
    each(READERS, async (sample) => {
      const server = await always(200, body, { "content-type": "application/json" });
      expectFailure(sample, await runSample(sample, { baseUrl: server.url }), said);
    }),
  );

  test.each([301, 302, 303, 307, 308])("a redirect (%i), which is never followed", (status) =>
    each(SAMPLES, async (sample) => {
      const elsewhere = await contentService(sample);
      const headers = { location: `${elsewhere.url}/login` };
      const server = await always(status, "", headers);
      const step = await runSample(sample, { baseUrl: server.url });
      expectFailure(
        sample,
        step,
        `the request was redirected to ${elsewhere.url}/login (`,
        `status ${status})`,
        "set base-url to the address of the service",
      );
      expect({ there: server.received.length, elsewhere: elsewhere.received.length }).toEqual({
        there: 1,
        elsewhere: 0,
      });
    }),
  );
});

test("a record that may be double is told where the service may not know the repeat, and once is sent under one key", () =>
  each(WRITERS, async (sample) => {
    const server = await atFirst(sample, [{ status: 500 }]);
    const step = await runSample(sample, { baseUrl: server.url });
    expectSuccess(sample, step);
    expect(annotations(step.stdout, "warning")).toEqual(
      sample.posts ? [expect.stringContaining("an earlier attempt may have been recorded as well")] : [],
    );
    const keys = new Set(server.received.map(({ headers }) => headers["idempotency-key"]));
    expect(keys.size).toBe(1);
    if (sample.posts) expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
  }));
