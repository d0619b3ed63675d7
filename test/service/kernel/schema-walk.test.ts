import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { OperationShape } from "../../../src/api/operation.ts";
import { parsing } from "../../../src/api/parsing.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import { reportK8S } from "../../../src/api/resources/reports.ts";
import { describeIssues } from "../../../src/api/validation.ts";
import type { Schema } from "../../../src/api/wire-names.ts";
import { IssueList, walk } from "../../../src/service/kernel/schema-walk.ts";
import { filled } from "../hostile/schema-values.ts";
import { sampleRequest } from "../requests.ts";

const shapes: readonly OperationShape[] = Object.values(operations);
const bodies = shapes.flatMap((operation) =>
  operation.body ? [[operation.name, operation.body.schema, sampleRequest(operation)] as const] : [],
);

function walked(schema: Schema, value: unknown) {
  const issues = new IssueList();
  const data = walk(schema, value, issues);
  return issues.count === 0
    ? { success: true, data }
    : { success: false, errors: describeIssues(issues.listed, value) };
}

function parsed(schema: Schema, value: unknown) {
  const { success, data, error } = z.core.safeParse(schema, value, parsing);
  return success ? { success, data } : { success, errors: describeIssues(error.issues, value) };
}

/** The value with one part of it replaced, omitted or added. */
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
  // JSON has no holes.
  if (what === undefined && Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (what === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, what);
  return copy.root;
}

describe("the result of a schema walk", () => {
  it.each(bodies)("equals that of zod, with the same messages: %s", (name, schema, { json, form }) => {
    const bases = [json ?? form, ...[0, 1, 2].map((member) => filled(schema, member))];
    const what = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.constant("a".repeat(70_000)));
    fc.assert(
      fc.property(fc.constantFrom(...bases), fc.nat(), what, (base, place, replacement) => {
        const value = damaged(base, place, replacement);
        const [found, expected] = [walked(schema, value), parsed(schema, value)];
        // In a union for a pull request, zod reports the member with surplus fields rather than the one with an invalid field.
        if (found.success || name !== "attestPullRequest") expect(found).toEqual(expected);
        else expect(expected.success).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it("has every error in a list whose schema is described", () => {
    const described = z.array(z.string()).check(z.maxLength(3), z.meta({ description: "Names." }));
    const issues = walked(described, [1, 2]).errors;
    expect(issues).toEqual(parsed(described, [1, 2]).errors);
    expect(Object.keys(issues ?? {})).toHaveLength(2);
  });

  it("is a large report itself, so that checking it costs no copy", () => {
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u", controller: true };
    const pod = {
      podName: "web-1",
      namespace: "prod",
      digests: { "reg.example/web:1": "a".repeat(64) },
      creationTimestamp: 1_700_000_000,
    };
    const report = { type: "K8S", artifacts: [pod, { ...pod, owners: [owner] }, { ...pod, owners: null }] };
    const issues = new IssueList();
    expect(walk(reportK8S.body.schema, report, issues)).toBe(report);
    expect(issues.count).toBe(0);
  });

  it.each([
    ["of an open object", z.looseObject({ a: z._default(z.string(), "x") })],
    ["of a map", z.record(z.string(), z._default(z.nullable(z.unknown()), null))],
  ])("keeps a field named __proto__ %s", (_, schema) => {
    const text = '{"__proto__":{"polluted":1},"a":"b"}';
    expect(JSON.stringify(walk(schema, JSON.parse(text), new IssueList()))).toBe(text);
  });

  it("refuses a field named __proto__ where no further fields are allowed", () => {
    expect(walked(z.strictObject({}), JSON.parse('{"__proto__": 1}'))).toEqual({
      success: false,
      errors: Object.fromEntries([["__proto__", "Extra inputs are not permitted [input: 1]"]]),
    });
  });

  it("treats a number kept as text as no object, and minus zero as a number", () => {
    const raw = JSON.rawJSON("1e400");
    expect(walked(z.record(z.string(), z.looseObject({})), { a: raw })).toMatchObject({ success: false });
    expect(walked(z.unknown(), raw)).toEqual({ success: true, data: raw });
    expect(walked(z.number(), JSON.rawJSON("-0.0"))).toEqual({ success: true, data: -0 });
    expect(walked(z.number(), raw)).toMatchObject({ success: false });
  });
});

describe("very many issues", () => {
  const inner = z.object({ list: z.array(z.string()) });
  it.each([
    ["in a list", z.array(z.int()), Array(100_000).fill("x")],
    ["in a list of a list", z.array(z.array(z.int())), [Array(100_000).fill("x")]],
    [
      "in a map",
      z.record(z.string(), z.int()),
      Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, "x"])),
    ],
    [
      "in keys",
      z.record(z.string().check(z.maxLength(1)), z.int()),
      Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 1])),
    ],
    [
      "in undeclared fields",
      z.strictObject({}),
      Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, "x"])),
    ],
    ["in a member of a union", z.union([z.array(z.string()), inner]), { list: Array(100_000).fill(1) }],
  ])("%s are counted, and the first hundred reported", (_, schema, value) => {
    const issues = new IssueList();
    walk(schema, value, issues);
    expect([issues.count, issues.listed.length, issues.full]).toEqual([100_000, 100, false]);
    expect(Object.keys(describeIssues(issues.listed, value))).toHaveLength(100);
  });

  it("are not even counted past a hundred thousand", () => {
    const issues = new IssueList();
    walk(z.array(z.int()), Array(1_000_000).fill("x"), issues);
    expect([issues.count, issues.full]).toEqual([100_001, true]);
  });
});
