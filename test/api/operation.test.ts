import { expect, expectTypeOf, test } from "vitest";
import type { FieldOf, OperationShape, Reach } from "../../src/api/operation.ts";
import { operations } from "../../src/api/resources/operations.ts";
import type { listTrails } from "../../src/api/resources/trails.ts";

test("every operation is exported under its name, and no two share a method and path", () => {
  const all: [string, OperationShape][] = Object.entries(operations);
  expect(all.filter(([key, { name }]) => key !== name)).toEqual([]);
  expect(new Set(all.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(all.length);
});

test("an operation without its access, its reach or its weight does not compile", () => {
  expectTypeOf<Omit<OperationShape, "access">>().not.toExtend<OperationShape>();
  expectTypeOf<Omit<OperationShape, "reach">>().not.toExtend<OperationShape>();
  expectTypeOf<Omit<OperationShape, "heavy">>().not.toExtend<OperationShape>();
});

test("a reach names fields of the request, or it does not compile", () => {
  expectTypeOf<FieldOf<typeof listTrails>>().toEqualTypeOf<
    "flow" | "flow_tag" | "fingerprint" | "compliance_state" | "count" | "page" | "per_page"
  >();
  expectTypeOf<{ list: { flows: "flow" } }>().toExtend<Reach<FieldOf<typeof listTrails>>>();
  expectTypeOf<{ list: { flows: "flow_name" } }>().not.toExtend<Reach<FieldOf<typeof listTrails>>>();
});
