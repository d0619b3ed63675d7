import { describe, expect, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import {
  contentService,
  each,
  expectFailure,
  expectSuccess,
  runSample,
  type Sample,
  sampleOf,
  WRITERS,
} from "./samples.ts";
import { annotations } from "./step.ts";

const attest = sampleOf("attest");

/** A service that answers its first requests with these statuses in turn, and all later ones with success. */
function atFirst(sample: Sample, ...statuses: readonly number[]) {
  return httpServer((response, { path }, count) => {
    const status = statuses[count - 1] ?? 201;
    json(response, status, status < 300 ? sample.answer(path) : { message: "not now" });
  });
}

describe("a rejected request ends a step after one attempt:", () => {
  test("400, with one field error per line, in order", async () => {
    const errors = { zulu: "is last", alpha: "is first", mike: "is between" };
    const body = { message: "Input payload validation failed", errors };
    const server = await httpServer((response) => json(response, 400, body));
    const step = await runSample(attest, { baseUrl: server.url });
    expectFailure(
      attest,
      step,
      /^Input payload validation failed \(127\.0\.0\.1:\d+, \w+, status 400\)\nalpha: is first\nmike: is between\nzulu: is last$/,
    );
    expect(server.received).toHaveLength(1);
  });

  test("409, where the operation does not retry it", async () => {
    const sample = { ...sampleOf("root"), inputs: { operation: "createControl" } };
    const server = await httpServer((response) => json(response, 409, { message: "Control exists" }));
    const body = JSON.stringify({ identifier: "CTL-1", name: "a control" });
    const step = await runSample(sample, { baseUrl: server.url, inputs: { body } });
    expectFailure(sample, step, /^Control exists \(.*, createControl, status 409\)/);
    expect(server.received).toHaveLength(1);
  });

  test("a redirect, which is never followed", async () => {
    const elsewhere = await contentService(attest);
    const location = `${elsewhere.url}/login`;
    const server = await httpServer((response) => response.writeHead(302, { location }).end());
    const step = await runSample(attest, { baseUrl: server.url });
    expectFailure(
      attest,
      step,
      `the request was redirected to ${location} (`,
      "status 302)",
      "set base-url to the address of the service",
    );
    expect([server.received.length, elsewhere.received.length]).toEqual([1, 0]);
  });
});

describe("a temporary fault is retried:", () => {
  test("Retry-After as a date counts from the response's Date, whatever the runner's clock says", async () => {
    const [date, later] = ["Wed, 21 Oct 2015 07:28:00 GMT", "Thu, 22 Oct 2015 07:28:00 GMT"];
    const headers = { date, "retry-after": later };
    const server = await httpServer((response) => json(response, 429, { message: "not now" }, headers));
    const step = await runSample(attest, { baseUrl: server.url });
    expectFailure(attest, step, /^status 429, and the service asks for a wait of 86400 s before/);
    expect(server.received).toHaveLength(1);
  });

  test("409 twice and then a success, in three attempts with the same bytes, each wait logged", async () => {
    const server = await atFirst(attest, 409, 409);
    const step = await runSample(attest, { baseUrl: server.url });
    expectSuccess(attest, step);
    expect(server.received).toHaveLength(3);
    expect(step.stdout).toMatch(/^Attempt 1 of 4 failed: status 409\. Retrying in \d\.\d s\.$/m);
    expect(step.stdout).toMatch(/^Attempt 2 of 4 failed: status 409\. Retrying in \d\.\d s\.$/m);
    const sent = server.received.map(({ body, headers }) => `${headers["idempotency-key"]} ${body}`);
    expect(new Set(sent).size).toBe(1);
  });

  test("but not for a day: the step ends at once and reports the requested wait", async () => {
    const headers = { "retry-after": "86400" };
    const server = await httpServer((response) => json(response, 503, { message: "closed" }, headers));
    const step = await runSample(attest, { baseUrl: server.url });
    expectFailure(
      attest,
      step,
      "status 503, and the service asks for a wait of 86400 s before the next attempt",
    );
    expect(server.received).toHaveLength(1);
  });

  test("502 with a gateway's page, of which only the start is shown", async () => {
    const page = `<html>\n<h1>Bad\tgateway</h1>${"x".repeat(5_000)}</html>`;
    const headers = { "content-type": "text/html; charset=utf-8" };
    const server = await httpServer((response) => response.writeHead(502, headers).end(page));
    const step = await runSample(attest, { baseUrl: server.url, inputs: { retries: "1" } });
    const start = "<html> <h1>Bad gateway</h1>".padEnd(200, "x");
    expectFailure(attest, step, `text/html "${start}" (127.0.0.1:`, ", status 502, 2 attempts)");
    expect(server.received).toHaveLength(2);
  });
});

test("an empty response is valid for writes and invalid for reads", async () => {
  const server = await httpServer((response, { method }) =>
    response
      .writeHead(201, { "x-template-match": "result=nothing-asked" })
      .end(method === "GET" && reads ? "[]" : ""),
  );
  let reads = true;
  // The result of an evaluation is in the response.
  const evaluate = sampleOf("evaluate");
  const writers = WRITERS.filter((sample) => sample !== evaluate);
  await each(writers, async (sample) => {
    expectSuccess(sample, await runSample(sample, { baseUrl: server.url }));
  });
  expect(server.received.filter(({ method }) => method !== "GET")).toHaveLength(writers.length);
  expectFailure(evaluate, await runSample(evaluate, { baseUrl: server.url }), "of an unexpected shape: ");
  reads = false;
  const gate = sampleOf("assert-artifact");
  expectFailure(gate, await runSample(gate, { baseUrl: server.url }), "not JSON: an empty body (");
});

test("a byte order mark before the JSON of a response is ignored", async () => {
  const gate = sampleOf("assert-artifact");
  const withMark = (path: string) => `\ufeff${JSON.stringify(gate.answer(path))}`;
  const server = await httpServer((response, { path }) => response.end(withMark(path)));
  expectSuccess(gate, await runSample(gate, { baseUrl: server.url }));
  const refusing = await httpServer((response) => response.writeHead(400).end('\ufeff{"message":"not so"}'));
  expectFailure(gate, await runSample(gate, { baseUrl: refusing.url }), /^not so \(/);
});

test("unknown fields of a closed list cause a warning", async () => {
  const root = sampleOf("root");
  const server = await httpServer((response, { path }) =>
    json(response, 200, Object.assign({}, root.answer(path), { of_the_future: 1 })),
  );
  const step = await runSample(root, { baseUrl: server.url });
  expectSuccess(root, step);
  expect(annotations(step.stdout, "warning")).toEqual([
    "the response has unknown fields, which were ignored: of_the_future",
  ]);
});

test("a record that may be a duplicate is reported when the service may not deduplicate retries, and one key is sent otherwise", () =>
  each(WRITERS, async (sample) => {
    const server = await atFirst(sample, 500);
    const step = await runSample(sample, { baseUrl: server.url });
    expectSuccess(sample, step);
    expect(annotations(step.stdout, "warning")).toEqual(
      sample.posts ? [expect.stringContaining("an earlier attempt may have been recorded as well")] : [],
    );
    const written = server.received.filter(({ method }) => method !== "GET");
    const keys = new Set(written.map(({ headers }) => headers["idempotency-key"]));
    expect(keys.size).toBe(1);
    if (sample.posts) expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
  }));
