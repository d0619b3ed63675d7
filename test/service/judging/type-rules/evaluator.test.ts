import { afterAll, describe, expect, it } from "vitest";
import { makeTypeEvaluator } from "../../../../src/service/judging/type-rules/evaluator.ts";

const ORG = "acme";
const evaluator = makeTypeEvaluator();
afterAll(() => evaluator.close());

const judge = (rules: readonly string[], data: unknown, schema?: object) =>
  evaluator.evaluate(ORG, { schema: schema ? JSON.stringify(schema) : null, rules }, JSON.stringify(data));
const check = (rules: readonly string[], schema?: object) =>
  evaluator.check(ORG, { schema: schema ? JSON.stringify(schema) : null, rules });

const SCHEMA_2020 = "https://json-schema.org/draft/2020-12/schema";
const SCHEMA_07 = "http://json-schema.org/draft-07/schema#";

describe("the rules of a type", () => {
  it.each<[string, unknown, boolean]>([
    [".percent >= 80", { percent: 80 }, true],
    [".percent >= 80", { percent: 79 }, false],
    ["all(.[]; .passed)", [{ passed: true }, { passed: true }], true],
    [".[] | .passed", [{ passed: true }, { passed: false }], false],
    ['.name | test("^web-")', { name: "web-1" }, true],
    ["def ok: . > 1; .n | ok", { n: 2 }, true],
    [".n == 1 # the only one", { n: 1 }, true],
  ])("%s of %j is %s", async (rule, data, isCompliant) => {
    expect(await judge([rule], data)).toEqual({ mismatches: {}, isCompliant, results: [isCompliant] });
  });

  it("must all be true, and each failure is reported separately", async () => {
    const evaluated = async (a: boolean, b: boolean) => {
      const { isCompliant, results } = await judge([".a", ".b"], { a, b });
      return { isCompliant, results };
    };
    expect(await evaluated(true, true)).toEqual({ isCompliant: true, results: [true, true] });
    expect(await evaluated(true, false)).toEqual({ isCompliant: false, results: [true, false] });
    expect(await evaluated(false, true)).toEqual({ isCompliant: false, results: [false, true] });
  });

  it("pass when there are none", async () => {
    expect(await judge([], { a: 1 })).toEqual({ mismatches: {}, isCompliant: true, results: [] });
  });

  it.each([
    [".n", { n: 5 }, "rule 1 (.n): returned 5, which is neither true nor false"],
    [".n", { n: "true" }, 'rule 1 (.n): returned "true", which is neither true nor false'],
    [".missing", {}, "rule 1 (.missing): returned null, which is neither true nor false"],
    ["empty", {}, "rule 1 (empty): returned no result"],
    [".a.b", { a: 1 }, 'rule 1 (.a.b): Cannot index number with string "b"'],
    ['error("no")', {}, 'rule 1 (error("no")): no'],
  ])("%s of %j gives no result, and the reason", async (rule, data, error) => {
    expect(await judge([rule], data)).toEqual({ mismatches: {}, isCompliant: false, results: [], error });
  });

  it("that exhaust the memory are ended, and the next are evaluated as usual", async () => {
    const { isCompliant, error } = await judge(["def f: [f]; f"], {});
    expect([isCompliant, error]).toEqual([false, "rule 1 (def f: [f]; f): exceeds the memory limit"]);
    expect((await judge([".a"], { a: true })).isCompliant).toBe(true);
  });

  it("that never end are stopped, and the next are evaluated as usual", async () => {
    const impatient = makeTypeEvaluator(300);
    const endless = impatient.evaluate(ORG, { schema: null, rules: ["def f: f; f"] }, "{}");
    const next = impatient.evaluate(ORG, { schema: null, rules: [".a"] }, '{"a":true}');
    expect(await endless).toEqual({
      mismatches: {},
      isCompliant: false,
      results: [],
      error: "the evaluation takes more than 0.3 seconds of processor time",
    });
    expect((await next).isCompliant).toBe(true);
    await impatient.close();
  });

  it("see numbers with all their digits", async () => {
    const data = '{"id":12345678901234567890}';
    const verdict = await evaluator.evaluate(ORG, { schema: null, rules: ['tojson | test("7890}$")'] }, data);
    expect(verdict.isCompliant).toBe(true);
  });

  it("cannot see the service's environment", async () => {
    expect((await judge(['env | has("PATH") and (.PATH == "/")'], {})).isCompliant).toBe(true);
  });
});

describe("the schema of a type", () => {
  const schema = {
    type: "object",
    required: ["percent"],
    additionalProperties: false,
    properties: {
      percent: { type: "number", maximum: 100 },
      files: { type: "array", items: { type: "string" } },
    },
  };

  it.each([
    [{}, { "": "Input should have required property 'percent'" }],
    [{ percent: "80" }, { percent: "Input should be number" }],
    [{ percent: 101 }, { percent: "Input should be <= 100" }],
    [{ percent: 1, files: ["a", 2] }, { "files[1]": "Input should be string" }],
    [{ percent: 1, more: 1 }, { "": "Extra inputs are not permitted: 'more'" }],
  ])("reports where %j does not match, and skips the rules", async (data, mismatches) => {
    expect(await judge(["error"], data, schema)).toEqual({ mismatches, isCompliant: false, results: [] });
  });

  it("passes matching data to the rules", async () => {
    expect(await judge([".percent > 90"], { percent: 91 }, schema)).toEqual({
      mismatches: {},
      isCompliant: true,
      results: [true],
    });
  });

  it("is read in the dialect that it names", async () => {
    const tuple = { items: [{ type: "string" }] };
    expect((await check([], { $schema: SCHEMA_07, ...tuple })).schema).toEqual({});
    expect((await check([], { $schema: SCHEMA_2020, ...tuple })).schema).toEqual({
      items: "Input should be object,boolean",
    });
  });

  it("matches patterns in linear time", async () => {
    const evil = { properties: { name: { pattern: "^(a+)+$" } } };
    const { mismatches } = await judge([], { name: `${"a".repeat(5_000)}!` }, evil);
    expect(mismatches).toEqual({ name: 'Input should match pattern "^(a+)+$"' });
  });

  it("distinguishes its patterns", async () => {
    const two = { properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } } };
    expect((await judge([], { a: "a", b: "a" }, two)).mismatches).toEqual({
      b: 'Input should match pattern "^b$"',
    });
  });

  it.each([
    [{ type: "objekt" }, ["type"]],
    [{ properties: { a: { minimum: "1" } } }, ["properties.a.minimum"]],
    [{ $schema: "https://json-schema.org/draft/2019-09/schema" }, ["$schema"]],
    [{ $ref: "https://elsewhere.example/schema.json" }, [""]],
    [{ properties: { a: { pattern: "(?=x)" } } }, [""]],
  ])("%j is refused with the location of the error", async (wrong, fields) => {
    expect(Object.keys((await check([], wrong)).schema)).toEqual(fields);
  });

  it("two types may have the same $id", async () => {
    const $id = "https://acme.example/type";
    expect((await check([], { $id, type: "object" })).schema).toEqual({});
    expect((await judge([], 1, { $id, type: "number" })).mismatches).toEqual({});
  });
});

describe("a rule that is not valid jq", () => {
  it.each([
    [".a[", "syntax error"],
    ["nonsense(1)", "nonsense/1 is not defined"],
    ["$unknown", "$unknown is not defined"],
  ])("%s is refused with its number and the reason", async (rule, reason) => {
    const { rules } = await check([".a == 1", rule]);
    expect(rules).toEqual({ 1: expect.stringContaining(reason) });
    expect(rules[1]).not.toContain("jq:");
  });

  it("does not include a rule that fails only on some data", async () => {
    expect(await check(['error("x")', ".a.b.c"])).toEqual({ schema: {}, rules: {} });
  });
});
