import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { OperationShape } from "../../src/api/operation.ts";
import { operations } from "../../src/api/operations.ts";
import { reportK8S } from "../../src/api/snapshots.ts";
import { fitsAsItIs } from "../../src/service/fitting.ts";
import { sampleRequest } from "./requests.ts";

const shapes: readonly OperationShape[] = Object.values(operations);
const bodies = shapes.flatMap((operation) =>
  operation.body ? [[operation.name, operation.body.schema, sampleRequest(operation)] as const] : [],
);

/** The same value with one part of it replaced, left out or added. */
function damaged(value: unknown, place: number, what: unknown): unknown {
  const paths: (readonly string[])[] = [];
  const collect = (part: unknown, path: readonly string[]) => {
    paths.push(path);
    if (typeof part === "object" && part !== null) {
      for (const [key, inner] of Object.entries(part)) collect(inner, [...path, key]);
    }
  };
  collect(value, []);
  const path = paths[place % paths.length] ?? [];
  const copy = { root: structuredClone(value) };
  const steps = ["root", ...path];
  const last = steps.pop() ?? "root";
  const parent = steps.reduce((part: object, step) => Object(Reflect.get(part, step)), copy);
  // What JSON can say has no holes.
  if (what === undefined && Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (what === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, what);
  return copy.root;
}

describe("what fits as it is", () => {
  it.each(bodies)("is what zod takes and gives back unchanged: %s", (_, schema, { json, form }) => {
    const sample = json ?? form;
    const what = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.constant(JSON.rawJSON("1e400")));
    fc.assert(
      fc.property(fc.nat(), what, (place, replacement) => {
        const value = damaged(sample, place, replacement);
        if (!fitsAsItIs(schema, value)) return;
        const result = z.core.safeParse(schema, value);
        expect(result).toEqual({ success: true, data: value });
      }),
    );
  });

  it("is a report as clusters send them, so that it is not checked the slow way", () => {
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u", controller: true };
    const pod = {
      podName: "web-1",
      namespace: "prod",
      digests: { "reg.example/web:1": "a".repeat(64) },
      creationTimestamp: 1_700_000_000,
    };
    const fits = (artifacts: unknown) => fitsAsItIs(reportK8S.body.schema, { type: "K8S", artifacts });
    expect(fits([pod, { ...pod, owners: [owner] }, { ...pod, owners: null }])).toBe(true);
    expect(fits([{ ...pod, digests: { web: "short" } }])).toBe(false);
    expect(fits([{ ...pod, creationTimestamp: 1.5 }])).toBe(false);
    expect(fits([{ ...pod, more: 1 }])).toBe(false);
    expect(fits([{ ...pod, podName: undefined }])).toBe(false);
    expect(fits([JSON.parse(`{"__proto__": 1, ${JSON.stringify(pod).slice(1)}`)])).toBe(false);
  });

  it.each([
    ["a default", z.object({ a: z._default(z.string(), "x") }), {}],
    ["a format", z.object({ a: z.url() }), { a: "x" }],
    ["keys that must all be there", z.record(z.enum(["a", "b"]), z.string()), { a: "x" }],
    ["a field that is left out", z.object({ a: z.string() }), { a: "x", b: 1 }],
    ["a refinement", z.object({ a: z.string() }).check(z.refine(() => true)), { a: "x" }],
    [
      "a number that is kept as its text",
      z.record(z.string(), z.looseObject({})),
      { a: JSON.rawJSON("1e400") },
    ],
  ])("is nothing that needs zod for %s", (_, schema, value) => {
    expect(fitsAsItIs(schema, value)).toBe(false);
  });
});
