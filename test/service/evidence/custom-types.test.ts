import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestations } from "../attestation-requests.ts";
import { expectRefusal } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
let name = "";
let count = 0;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());
const fresh = () => {
  name = `coverage-${++count}`;
  return attestations(service);
};
const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["percent"],
  properties: { percent: { type: "number" } },
};
const rules = (...expressions: string[]) => ({ evaluator: { content_type: "jq", rules: expressions } });

describe("a custom attestation type", () => {
  it("is returned as created", async () => {
    const { customType, customTypes } = fresh();
    const created = await customType(
      {
        name,
        description: "of lines",
        ...rules(".percent >= 80"),
        summary: [{ name: "lines", expression: ".percent" }],
      },
      SCHEMA,
    );
    expect(created).toMatchObject({ status: 201, body: "OK" });
    const { body } = await customTypes(`/${name}`);
    expect(body).toEqual({
      name,
      description: "of lines",
      archived: false,
      org: ORG,
      created_by: "member",
      created_at: service.clock.time,
      last_modified_at: service.clock.time,
      versions: [
        {
          version: 1,
          timestamp: service.clock.time,
          type_schema: SCHEMA,
          evaluator: { content_type: "jq", rules: [".percent >= 80"] },
          summary: [{ name: "lines", expression: ".percent" }],
          created_by: "member",
        },
      ],
    });
    expect((await customTypes()).body).toContainEqual(body);
  });

  it("gets another version each time it is created, the newest first", async () => {
    const { customType, customTypes } = fresh();
    await customType({ name, description: "first" }, SCHEMA);
    service.clock.time += 5;
    await customType({ name, ...rules("true") });
    const { body } = await customTypes(`/${name}`);
    expect(body).not.toHaveProperty("description");
    expect(body.last_modified_at - body.created_at).toBe(5);
    expect(body.versions).toMatchObject([
      { version: 2, type_schema: null, evaluator: { content_type: "jq", rules: ["true"] } },
      { version: 1, type_schema: SCHEMA, evaluator: { content_type: "default" } },
    ]);
    const first = await customTypes(`/${name}?version=1`);
    expect(first.body).toEqual({ name, org: ORG, archived: false, versions: [body.versions[1]] });
  });

  it("is listed by name until it is archived, and again when it is created again", async () => {
    const { customType, customTypes, archiveType, attest } = fresh();
    const listed = async () => (await customTypes()).body.map((type: { name: string }) => type.name);
    await customType({ name });
    expect(await listed()).toEqual((await listed()).toSorted());
    expect(await listed()).toContain(name);
    expect(await archiveType(name)).toMatchObject({ status: 200, body: "OK" });
    expect(await archiveType(name)).toMatchObject({ status: 200, body: "OK" });
    expect(await listed()).not.toContain(name);
    expect((await customTypes(`/${name}`)).body.archived).toBe(true);
    expectRefusal(
      await attest("custom", "web", { type_name: name, attestation_data: {} }),
      404,
      `Custom attestation type '${name}' has been archived for org '${ORG}'`,
    );
    await customType({ name });
    expect(await listed()).toContain(name);
    expect((await attest("custom", "web", { type_name: name, attestation_data: {} })).status).toBe(201);
  });

  it.each<[string, object, unknown, object]>([
    [
      "a name with a dot",
      { name: "a.b" },
      undefined,
      { name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\-_~]*$' [input: a.b]" },
    ],
    ["an unknown field", { extra: 1 }, undefined, { extra: "Extra inputs are not permitted [input: 1]" }],
    [
      "jq without rules",
      { evaluator: { content_type: "jq" } },
      undefined,
      { "evaluator.rules": "Field required [input: None]" },
    ],
    [
      "a rule that is not valid jq",
      rules(".a", ".a["),
      undefined,
      {
        "evaluator.rules[1]": expect.stringContaining("Input should be a valid jq expression: syntax error"),
      },
    ],
    [
      "a summary that is not valid jq",
      { summary: [{ name: "s", expression: "nonsense" }] },
      undefined,
      {
        "summary[0].expression": "Input should be a valid jq expression: nonsense/0 is not defined",
      },
    ],
    ["a schema that is not JSON", {}, "{", { type_schema: expect.stringContaining("valid JSON") }],
    ["a schema that is not an object", {}, [1], { type_schema: "Input should be a valid dictionary" }],
    [
      "an invalid schema",
      {},
      { properties: { percent: { type: "percentage" } } },
      { "type_schema.properties.percent.type": expect.stringContaining("Input should be one of") },
    ],
    [
      "a schema that refers to another document",
      {},
      { $ref: "https://elsewhere.example/s" },
      { type_schema: expect.stringContaining("https://elsewhere.example/s") },
    ],
  ])("is refused with %s", async (_, form, schema, errors) => {
    const { customType, customTypes } = fresh();
    const { status, body } = await customType({ name, ...form }, schema);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { message: "Input payload validation failed", errors },
    });
    expect(Object.keys(body.errors)).toEqual(Object.keys(errors));
    expect((await customTypes(`/${name}`)).status).toBe(404);
  });
});

describe("an attestation of a custom type", () => {
  const attested = async (flow: string, data: unknown) => {
    const { attest, ofTrail } = attestations(service);
    const { status } = await attest("custom", flow, { type_name: name, attestation_data: data });
    const [record] = (await ofTrail(flow)).body;
    return { status, record };
  };

  it.each([
    [{ percent: 80 }, true],
    [{ percent: 79.9 }, false],
    ['{"percent": 81}', true],
  ])("%j is evaluated by the rules", async (data, isCompliant) => {
    await fresh().customType({ name, ...rules(".percent >= 80") }, SCHEMA);
    const { status, record } = await attested(name, data);
    expect(status).toBe(201);
    expect(record).toMatchObject({
      attestation_type: `custom:${name}`,
      is_compliant: isCompliant,
      type_name: name,
      type_version: 1,
      attestation_data: typeof data === "string" ? JSON.parse(data) : data,
    });
    expect(record).not.toHaveProperty("evaluation_error");
  });

  it("is evaluated by the latest version", async () => {
    const { customType } = fresh();
    await customType({ name, ...rules("false") });
    await customType({ name, ...rules("true") });
    expect((await attested(name, {})).record).toMatchObject({ is_compliant: true, type_version: 2 });
  });

  it("whose rules give no result is not compliant, and says why", async () => {
    await fresh().customType({ name, ...rules(".percent") });
    expect((await attested(name, { percent: 5 })).record).toMatchObject({
      is_compliant: false,
      evaluation_error: "rule 1 (.percent): returned 5, which is neither true nor false",
    });
  });

  it("keeps the digits and the names in its data", async () => {
    const { customType, attest, ofTrail } = fresh();
    await customType({ name });
    await attest("custom", name, {
      type_name: name,
      attestation_data: '{"snake_case":{"id":12345678901234567890}}',
    });
    expect((await ofTrail(name)).text).toContain(
      '"attestation_data":{"snake_case":{"id":12345678901234567890}}',
    );
  });
});
