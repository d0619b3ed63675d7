import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenApiDocument } from "../../../scripts/openapi/document.ts";
import { fileAnswer, type OperationShape } from "../../../src/api/operation.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import { startTestService, type TestService } from "../../service/running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const every: readonly OperationShape[] = Object.values(operations);
const built: OpenApiDocument = JSON.parse(
  readFileSync(new URL("../../../src/service/http/openapi.json", import.meta.url), "utf8"),
);

async function get(path: string) {
  const answer = await request(`${service.address}/api/v2${path}`, { dispatcher: service.dispatcher });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

/** Every object in a document, with its JSON pointer. */
function* objectsIn(value: unknown, place = "#"): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [place, { ...value }];
  for (const [key, item] of Object.entries(value)) {
    yield* objectsIn(item, `${place}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  }
}

const checker = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(checker);
checker.addSchema({ ...built, $id: "https://service.test/openapi" });
/** Many operations have the same parameters. */
const checks = new Map<string, ValidateFunction>();
function checkOf(schema: unknown): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"https://service.test/openapi#/');
  const check = checks.get(text) ?? checker.compile(JSON.parse(text));
  checks.set(text, check);
  return check;
}

describe("the description of the API", () => {
  it("is served without authentication, and is generated from the operations", async () => {
    const { status, headers, text } = await get("/openapi.json");
    expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "application/json" });
    expect(JSON.parse(text)).toEqual(built);
  });

  it("is a valid OpenAPI 3.1 document to a third-party validator", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone({ ...built }));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  it("would be rejected if it were invalid", async () => {
    const broken = structuredClone({ ...built, info: { title: "no version" } });
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it("has a title and a version", () => {
    expect(built).toMatchObject({
      openapi: "3.1.0",
      info: { title: "Delivery Evidence Service API", version: "2.0" },
      components: {
        securitySchemes: {
          HTTPBearer: { type: "http", scheme: "bearer" },
          HTTPBasic: { type: "http", scheme: "basic" },
        },
      },
    });
  });

  it("has no dangling references", () => {
    const places = new Set([...objectsIn(built)].map(([place]) => place));
    const references = [...objectsIn(built)].flatMap(([, { $ref }]) =>
      typeof $ref === "string" ? [$ref] : [],
    );
    expect(references.length).toBeGreaterThan(every.length);
    expect(references.filter((reference) => !places.has(reference))).toEqual([]);
  });

  it("describes every operation, tag, parameter, response and field", () => {
    const described = Object.values(built.paths).flatMap((path) => Object.values(path));
    const without = (items: Iterable<object>) =>
      [...items].filter((item) => !("description" in item && /\w.*\.$/s.test(String(item.description))));
    expect(described).toHaveLength(every.length);
    expect(without(described)).toEqual([]);
    expect(without(built.tags)).toEqual([]);
    expect(without(described.flatMap(({ parameters }) => parameters))).toEqual([]);
    const places = [...objectsIn(built.components["schemas"])];
    const fields = places.filter(([place]) => /\/properties\/[^/]+$/.test(place));
    expect(fields.length).toBeGreaterThan(3_000);
    expect(fields.filter(([, field]) => !field["description"]).map(([place]) => place)).toEqual([]);
    const responses = described.flatMap((operation) => Object.values(operation.responses));
    expect(without(responses.filter((response) => !("$ref" in response)))).toEqual([]);
  });

  it("describes the responses that precede any operation", () => {
    for (const { responses, requestBody } of Object.values(built.paths).flatMap((path) =>
      Object.values(path),
    )) {
      expect(responses).toHaveProperty("431");
      if (requestBody !== undefined) expect(responses).toHaveProperty("408");
    }
  });

  it("has no two paths that differ only in the names of their parameters", () => {
    const shapes = Object.keys(built.paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}"));
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
  });
});

describe.each(every)("$name in the description", (operation) => {
  const { method, path, body } = operation;
  const described = built.paths[path]?.[method.toLowerCase()];

  it("has examples that its schemas accept", () => {
    const examples = [...objectsIn(described)].filter(
      ([, { schema, example }]) => schema && example !== undefined,
    );
    const expected = Object.values(operation.responses).some((schema) => schema !== fileAnswer) || body;
    if (expected) expect(examples.length).toBeGreaterThan(0);
    for (const [place, { schema, example }] of examples) {
      const check = checkOf(schema);
      expect({ place, valid: check(example), errors: check.errors }).toEqual({
        place,
        valid: true,
        errors: null,
      });
    }
  });
});
