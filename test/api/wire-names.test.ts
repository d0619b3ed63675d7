import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { fileAnswer } from "../../src/api/operation.ts";
import { operations } from "../../src/api/operations.ts";
import { camelName, fromWire, type Schema, toWire } from "../../src/api/wire-names.ts";

/** Every schema of the interface: of bodies, of parameters and of answers. */
const schemas: [name: string, schema: Schema][] = Object.values(operations).flatMap((operation) => {
  const found: [string, Schema][] = [];
  if ("body" in operation) found.push([`${operation.name} body`, operation.body.schema]);
  if ("params" in operation) found.push([`${operation.name} params`, operation.params]);
  if ("query" in operation) found.push([`${operation.name} query`, operation.query]);
  for (const [status, schema] of Object.entries(operation.responses)) {
    // A file has no names to rename.
    if (schema !== fileAnswer) found.push([`${operation.name} ${status}`, schema]);
  }
  return found;
});

/** Data that belongs to its author: keys of any spelling, `__proto__` among them. */
const freeForm = fc.jsonValue({ maxDepth: 3 }).chain((value) =>
  fc.record({
    snake_case: fc.constant(value),
    camelCase: fc.constant(value),
    "kebab-case": fc.constant(value),
  }),
);
const authorsKeys = fc.constantFrom("snake_case", "camelCase", "kebab-case", "is_compliant", "x__y", "_a_b");

/** Wire values with the keys a schema declares; what they hold need not be valid to be renamed. */
function wireValues(schema: Schema): fc.Arbitrary<unknown> {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape).map(([key, field]) => [key, wireValues(field)] as const);
      return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    }
    case "array":
      return fc.array(wireValues(def.element), { maxLength: 2 });
    case "record":
      return fc.dictionary(authorsKeys, wireValues(def.valueType), { maxKeys: 3 });
    case "union":
      return fc.oneof(...def.options.map(wireValues));
    case "optional":
    case "nullable":
    case "default":
      return fc.oneof(fc.constant(null), wireValues(def.innerType));
    case "unknown":
      return freeForm;
    case "string":
    case "number":
    case "boolean":
    case "enum":
    case "literal":
      return fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean());
    default:
      throw new Error(`renaming does not know what to do with '${def.type}'`);
  }
}

/** The names that a schema declares, on the wire. */
function declared(schema: Schema, names = new Set<string>()): Set<string> {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  if (def.type === "object") {
    for (const [name, field] of Object.entries(def.shape)) {
      names.add(name);
      declared(field, names);
    }
  } else if (def.type === "array") declared(def.element, names);
  else if (def.type === "record") declared(def.valueType, names);
  else if (def.type === "union") for (const option of def.options) declared(option, names);
  else if ("innerType" in def) declared(def.innerType, names);
  return names;
}

describe("what goes to TypeScript comes back to the wire unchanged:", () => {
  test.each(schemas)("%s", (_, schema) => {
    fc.assert(
      fc.property(wireValues(schema), (wire) => {
        expect(toWire(schema, fromWire(schema, wire))).toEqual(wire);
      }),
      { numRuns: 50 },
    );
  });
});

test("no two names of the interface become the same", () => {
  for (const [, schema] of schemas) {
    const names = [...declared(schema)];
    expect(new Set(names.map(camelName)).size).toBe(names.length);
  }
});

test.each([
  ["attestation_name", "attestationName"],
  ["name", "name"],
  ["sha1", "sha1"],
  ["git_commit_info", "gitCommitInfo"],
  ["_links", "_links"],
  ["creationTimestamp", "creationTimestamp"],
  ["part_2", "part2"],
])("%s on the wire is %s in code", (wire, code) => {
  expect(camelName(wire)).toBe(code);
});

test("keys of free-form data, maps and undeclared fields stay as their author wrote them", () => {
  const body = {
    attestationName: "a",
    gitCommitInfo: { sha1: "s", authorUsername: "ada", some_extra: { in_it: 1 } },
    userData: { a_b: { c_d: 1 }, eF: 2, nested: [{ g_h: 3, iJ: 4 }] },
    annotations: { key_one: "v", keyTwo: "w" },
    externalUrls: { "My label_x": { href: "h" }, other_label: "https://x.example" },
  };
  const wire = {
    attestation_name: "a",
    git_commit_info: { sha1: "s", author_username: "ada", some_extra: { in_it: 1 } },
    user_data: body.userData,
    annotations: body.annotations,
    external_urls: body.externalUrls,
  };
  const { schema } = operations.attestGeneric.body;
  expect(toWire(schema, body)).toEqual(wire);
  expect(fromWire(schema, wire)).toEqual(body);
});

test("digests keep the names of their images", () => {
  const pod = { podName: "p", digests: { "host:5000/my_image/a_b": "d", creation_timestamp: "e" } };
  const { schema } = operations.reportK8S.body;
  expect(toWire(schema, { artifacts: [pod] })).toEqual({ artifacts: [pod] });
});

test("each member of a union has its own names renamed", () => {
  const { schema } = operations.putFlowAction.body;
  const targets = [
    { type: "SLACK", webhook: "w", context: { channelId: "c", channelName: "n", teamId: "t" } },
    { type: "WEBHOOK", webhook: "w", payloadVersion: "1.0", lastSuccessAt: null },
  ];
  expect(toWire(schema, { targets })).toEqual({
    targets: [
      { type: "SLACK", webhook: "w", context: { channel_id: "c", channel_name: "n", team_id: "t" } },
      { type: "WEBHOOK", webhook: "w", payload_version: "1.0", last_success_at: null },
    ],
  });
});

test("a flow verdict is renamed alone and in a list", () => {
  const verdict = { compliance_status: { is_compliant: false }, html_url: "h" };
  const renamed = { complianceStatus: { isCompliant: false }, htmlUrl: "h" };
  const schema = operations.assertArtifact.responses[200];
  expect(fromWire(schema, { flows: verdict })).toEqual({ flows: renamed });
  expect(fromWire(schema, { flows: [verdict, verdict] })).toEqual({ flows: [renamed, renamed] });
});

describe("a key named __proto__ is a key like others", () => {
  const schema = z.looseObject({ some_map: z.record(z.string(), z.object({ a_b: z.number() })) });
  const text = '{"__proto__":{"polluted":1},"some_map":{"__proto__":{"a_b":1},"x":{"a_b":2}}}';

  test("and never changes what objects inherit", () => {
    const renamed = fromWire(schema, JSON.parse(text));
    expect(JSON.stringify(renamed)).toBe(text.replaceAll("some_map", "someMap").replaceAll("a_b", "aB"));
    expect(JSON.stringify(toWire(schema, renamed))).toBe(text);
    expect(Object.getPrototypeOf(renamed)).toBe(Object.prototype);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

test("numbers kept as raw JSON are values, wherever they stand", () => {
  const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON("12345678901234567890");
  const schema = z.object({
    some_map: z.record(z.string(), z.object({ a_b: z.unknown() })),
    some_field: z.object({}),
  });
  const wire = toWire(schema, { someMap: { x: { aB: raw } }, someField: raw });
  expect(JSON.stringify(wire)).toBe(
    '{"some_map":{"x":{"a_b":12345678901234567890}},"some_field":12345678901234567890}',
  );
});

test.each([[null], [undefined], ["text"], [1], [[1, null]], [new Date(0)]])(
  "what is not of the schema's shape is left as it is: %o",
  (value) => {
    const { schema } = operations.attestGeneric.body;
    expect(toWire(schema, value)).toBe(value);
    expect(fromWire(schema, value)).toBe(value);
  },
);
