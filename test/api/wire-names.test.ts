import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import { fileAnswer } from "../../src/api/operation.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { camelName, fromWire, type Schema, toWire } from "../../src/api/wire-names.ts";

/** Every schema of the API: of bodies, of parameters and of responses. */
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

/** Wire values with the keys that a schema declares; their content may be invalid, as only names change. */
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

describe("a value converted to TypeScript is unchanged when converted back:", () => {
  test.each(schemas)("%s", (_, schema) => {
    fc.assert(
      fc.property(wireValues(schema), (wire) => {
        expect(toWire(schema, fromWire(schema, wire))).toEqual(wire);
      }),
      { numRuns: 50 },
    );
  });
});

/** Names that may be in one value together; members of a union may share one. */
function namesTogether(schema: Schema): string[][] {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case "object":
      return [Object.keys(def.shape), ...Object.values(def.shape).flatMap(namesTogether)];
    case "array":
      return namesTogether(def.element);
    case "record":
      return namesTogether(def.valueType);
    case "union":
      return [[...declared(schema)], ...def.options.flatMap(namesTogether)];
    default:
      return "innerType" in def ? namesTogether(def.innerType) : [];
  }
}

test("no two names of one value become the same", () => {
  for (const [, schema] of schemas) {
    for (const names of namesTogether(schema)) {
      expect(new Set(names.map(camelName)).size).toBe(names.length);
    }
  }
});
