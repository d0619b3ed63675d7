import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { EvidenceClient } from "../../../src/api/client/client.ts";
import { InputError } from "../../../src/api/client/errors.ts";
import { type OperationName, operations } from "../../../src/api/resources/operations.ts";
import { VERSION } from "../../../src/api/version.ts";
import { KEY } from "../connections.ts";
import { httpServer, json } from "../local-server.ts";
import { samples } from "../sample-requests.ts";

const NAMES = Object.keys(operations) as OperationName[];

function clientOf(baseUrl: string): EvidenceClient {
  const client = new EvidenceClient({ apiKey: KEY, org: "acme", baseUrl, retries: 0 });
  onTestFinished(() => client.close());
  return client;
}

describe("the client has a method for the operation", () => {
  test.each(NAMES)("%s", async (name) => {
    const sample = samples[name];
    const server = await httpServer((response) => json(response, sample.answer.status, sample.answer.body));
    const { status, body } = await clientOf(server.url)[name](sample.request as never);
    expect({ status, body }).toEqual({ status: sample.answer.status, body: sample.understood });
    expect(server.received.map(({ method, path }) => [method, path])).toEqual([[sample.method, sample.path]]);
  });
});

test("each operation is listed under its own name, with its own path", () => {
  for (const [name, operation] of Object.entries(operations)) expect(operation.name).toBe(name);
  const endpoints = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(endpoints).size).toBe(endpoints.length);
});

test("each path parameter has a rule, and each rule a position in the path", () => {
  for (const operation of Object.values(operations)) {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name)
      .filter((n) => n !== "org");
    const ruled = "params" in operation ? Object.keys(operation.params._zod.def.shape) : [];
    expect(ruled.sort()).toEqual(inPath.sort());
  }
});

test("the options of a submission reach the service", async () => {
  const server = await httpServer((response) => json(response, 201, "OK"));
  await clientOf(server.url).attestGeneric(samples.attestGeneric.request, { idempotencyKey: "same" });
  expect(server.received[0]?.headers["idempotency-key"]).toBe("same");
});

test("a client with invalid options is refused when it is created", () => {
  expect(() => new EvidenceClient({ apiKey: "", org: "acme" })).toThrow(InputError);
});

test("a client can be closed without a call, twice, and works again afterwards", async () => {
  const server = await httpServer((response) => json(response, 201, "OK"));
  const client = clientOf(server.url);
  await client.close();
  await client.close();
  expect((await client.createFlow(samples.createFlow.request)).status).toBe(201);
});

test("the version sent to services is that of the package", () => {
  const file = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  expect(VERSION).toBe(JSON.parse(file).version);
});
