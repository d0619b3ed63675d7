import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { keepDigits, plainNumbers } from "../../src/api/exact-numbers.ts";
import { parameterValue, takesSeveral } from "../../src/api/parameter-text.ts";
import { fromWire } from "../../src/api/wire-names.ts";

const inner = z.array(z.object({ max_size: z.number() }));

describe.each([
  ["optional", z.optional<z.ZodMiniType>],
  ["nullable", z.nullable<z.ZodMiniType>],
  ["default", (schema: z.ZodMiniType) => z._default(schema, undefined)],
  ["prefault", (schema: z.ZodMiniType) => z.prefault(schema, undefined)],
  ["readonly", z.readonly<z.ZodMiniType>],
])("a schema that is %s", (_what, wrapped) => {
  test("has plain numbers where its inner schema has them", () => {
    const value: unknown = JSON.parse('[{"max_size":1.50}]', keepDigits);
    expect(plainNumbers(z.object({ list: wrapped(inner) }), { list: value })).toEqual({
      list: [{ max_size: 1.5 }],
    });
  });

  test("has the names of its inner schema", () => {
    expect(fromWire(wrapped(inner), [{ max_size: 1 }])).toEqual([{ maxSize: 1 }]);
  });

  test("is read from texts like its inner schema", () => {
    const list = wrapped(z.array(wrapped(z.number())));
    expect(takesSeveral(list)).toBe(true);
    expect(parameterValue(list, ["1", "2"])).toEqual([1, 2]);
  });
});
