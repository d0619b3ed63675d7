import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { FormData, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationShape } from "../../src/api/operation.ts";
import { operations } from "../../src/api/operations.ts";
import { FP, pipeline, sampleRequest, send } from "./requests.ts";
import { ORG, startTestService, type TestService } from "./running-service.ts";

/*
 * Everything here is judged by the document as a stranger reads it from the service, and by a validator of others.
 */

const every: readonly OperationShape[] = Object.values(operations);
const REMOVES = /archive|rename|delete|revoke|detach|remove|leave/i;
const REPORT = /\/report\/([\w-]+)$/;
/** What makes records, then what reads them, then what takes them away. */
const order = [
  ...every.filter(({ method, name }) => method !== "GET" && method !== "DELETE" && !REMOVES.test(name)),
  ...every.filter(({ method }) => method === "GET"),
  ...every.filter(({ method, name }) => method === "DELETE" || (method !== "GET" && REMOVES.test(name))),
];

interface Described {
  parameters: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, object>;
}

let service: TestService;
let document: { paths: Record<string, Record<string, Described>> };
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const successes = new Set<string>();

beforeAll(async () => {
  service = await startTestService();
  const answer = await request(`${service.address}/api/v2/openapi.json`, { dispatcher: service.dispatcher });
  document = JSON.parse(await answer.body.text());
  ajv.addSchema({ ...document, $id: "https://service.test/openapi" });
  const make = pipeline(service, service.keys.admin);
  await make.flow("sample");
  await make.trail("sample", "sample");
  await make.artifact("sample", "sample");
  await make.attest("sample", "sample", { attestation_name: "sample" });
  await make.environment("sample");
  await make.report("sample", [
    { podName: "web-1", namespace: "web", digests: { web: FP }, creationTimestamp: 1_799_999_000 },
  ]);
  const type = { ...sampleRequest(operations.createCustomAttestationType), key: service.keys.admin };
  await send(service, type);
  const account = { ...sampleRequest(operations.createServiceAccount), key: service.keys.admin };
  await send(service, { ...account, json: { name: "sample" } });
  // Each kind of report goes to an environment of its kind.
  for (const [, type = ""] of every.map(({ path }) => REPORT.exec(path) ?? [])) {
    if (type !== "") await make.environment(`sample-${type}`, { type });
  }
});
afterAll(() => service.dispose());

/** A schema of the document as a check; what it refers to is looked up there. */
function checkOf(schema: object): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://service.test/openapi#/')));
}

function expectValid(schema: object, value: unknown, what: string): void {
  const check = checkOf(schema);
  check(value);
  expect({ what, errors: check.errors ?? [] }).toEqual({ what, errors: [] });
}

function resolved(response: object): { content?: Record<string, { schema: object }> } {
  if (!("$ref" in response) || typeof response.$ref !== "string") return response;
  const steps = response.$ref.slice(2).split("/");
  return steps.reduce<object>((at, step) => Reflect.get(at, step), document);
}

describe.each(order)("$name", (operation) => {
  const { name, method, path, body } = operation;

  it("is called and answers as the description says", async () => {
    const described = document.paths[path]?.[method.toLowerCase()];
    if (!described) throw new Error(`${name} is not described`);
    const sample = sampleRequest(operation);
    const url = new URL(
      `${service.address}/api/v2${sample.path.replace(/sample\/report\/([\w-]+)$/, "sample-$1/report/$1")}`,
    );

    for (const { name: parameter, schema } of described.parameters.filter((p) => p.in === "path")) {
      const at = path.split("/").indexOf(`{${parameter}}`);
      const sent = decodeURIComponent(url.pathname.split("/")[at + 2] ?? "");
      const check = checkOf(schema);
      expect({ parameter, sent, fits: check(sent) || check(Number(sent)) }).toMatchObject({ fits: true });
    }
    for (const { name: parameter } of described.parameters.filter((p) => p.in === "query" && p.required)) {
      expect(url.searchParams.has(parameter), parameter).toBe(true);
    }
    const sends = sample.json ?? sample.form;
    if (body && sends !== undefined) {
      const [content] = Object.values(described.requestBody?.content ?? {});
      const whole = body.kind === "json" ? sends : { [body.part]: sends };
      expectValid(content?.schema ?? {}, whole, "the request");
    }

    const form = new FormData();
    if (body?.kind === "multipart") form.append(body.part, JSON.stringify(sends));
    for (const { part = "attachment_file", name: file, content } of sample.files ?? []) {
      form.append(part, new Blob([Buffer.from(content)]), file);
    }
    const answer = await request(url, {
      method,
      dispatcher: service.dispatcher,
      headers: {
        authorization: `Bearer ${service.keys.admin}`,
        ...(body?.kind === "json" && { "content-type": "application/json" }),
        ...sample.headers,
      },
      ...(sample.raw !== undefined
        ? { body: sample.raw }
        : body && { body: body.kind === "json" ? JSON.stringify(sends) : form }),
    });
    const text = await answer.body.text();
    const { statusCode } = answer;
    const response = described.responses[String(statusCode)];
    expect(response, `${statusCode} ${text}`).toBeDefined();
    expect([200, 201, 404, 409], text).toContain(statusCode);
    const [content] = Object.entries(resolved(response ?? {}).content ?? {});
    const [type, { schema }] = content ?? ["", { schema: {} }];
    if (type === "application/json") expectValid(schema, JSON.parse(text), `the answer ${statusCode}`);
    if (statusCode < 300) successes.add(name);
  });

  it("refuses without a key as the description says", async () => {
    const answer = await request(`${service.address}/api/v2${sampleRequest(operation).path}`, {
      method,
      dispatcher: service.dispatcher,
    });
    const described = document.paths[path]?.[method.toLowerCase()]?.responses["401"];
    expect(answer.statusCode).toBe(401);
    const schema = resolved(described ?? {}).content?.["application/json"]?.schema;
    expectValid(schema ?? { not: {} }, await answer.body.json(), "the refusal");
  });
});

describe("the walk", () => {
  it("was about answers, not about refusals", () => {
    expect(successes.size / every.length).toBeGreaterThan(0.8);
  });

  it("would see an answer of another shape", () => {
    const schema = { $ref: "#/components/schemas/ListReposAnswer" };
    const whole = { page: 1, per_page: 15, total_pages: 0, total_count: 0, repos: [] };
    const check = checkOf(schema);
    expect(check(whole)).toBe(true);
    expect(check({ ...whole, page: "1" })).toBe(false);
    expect(check({ ...whole, surplus: ORG })).toBe(false);
  });

  it("would see a request of another shape", () => {
    const check = checkOf({ $ref: "#/components/schemas/AttestGenericRequest" });
    expect(check({ attestation_name: "unit", is_compliant: true })).toBe(true);
    expect(check({ attestation_name: "a b", is_compliant: true })).toBe(false);
    expect(check({ attestation_name: "unit", is_compliant: true, surplus: 1 })).toBe(false);
  });
});
