import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { parsing } from "../../../src/api/parsing.ts";
import { describeIssues, type FieldNaming } from "../../../src/api/validation.ts";

function described(schema: z.core.$ZodType, input: unknown, naming?: FieldNaming) {
  const { error } = z.safeParse(schema, input, parsing);
  return describeIssues(error?.issues ?? [], input, naming);
}

describe("errors of an input", () => {
  it.each([
    [z.int(), 1.5, "Input should be a valid integer, got a number with a fractional part [input: 1.5]"],
    [z.int(), "x", "Input should be a valid integer, unable to parse string as an integer [input: x]"],
    [z.optional(z.int()), true, "Input should be a valid integer [input: true]"],
    [z.number(), "x", "Input should be a valid number, unable to parse string as a number [input: x]"],
    [z.string(), 5, "Input should be a valid string [input: 5]"],
    [z.string(), null, "Input should be a valid string [input: None]"],
    [z.array(z.string()), {}, "Input should be a valid list [input: {...}]"],
    [z.record(z.string(), z.string()), [], "Input should be a valid dictionary [input: [...]]"],
    [z.literal("K8S"), "ECS", "Input should be 'K8S' [input: ECS]"],
    [z.enum(["a", "b"]), undefined, "Field required [input: None]"],
    [z.number().check(z.gt(3)), 3, "Input should be greater than 3 [input: 3]"],
    [z.string().check(z.maxLength(2)), "abc", "String should have at most 2 characters [input: abc]"],
    [z.email(), "x", "Input should be a valid email address [input: x]"],
    [z.string().check(z.refine(() => false, "is not wanted")), "x", "is not wanted [input: x]"],
  ])("%#: are in plain words", (schema, field, text) => {
    expect(described(z.object({ field: schema }), { field })).toEqual({ field: text });
  });

  it("name fields by their path, with the caller's prefix", () => {
    const schema = z.object({ list: z.array(z.object({ name: z.string() })) });
    expect(described(schema, { list: [{ name: "ok" }, {}] }, { prefix: "query." })).toEqual({
      "query.list[1].name": "Field required [input: None]",
    });
  });

  it("name the whole input as the caller does", () => {
    expect(Object.keys(described(z.object({}), [], { root: "data_json" }))).toEqual(["data_json"]);
    expect(Object.keys(described(z.object({}), []))).toEqual(["body"]);
  });

  it("give one reason per field", () => {
    const schema = z.object({ name: z.string().check(z.minLength(3), z.regex(/^a/)) });
    expect(described(schema, { name: "b" })).toEqual({
      name: "String should have at least 3 characters [input: b]",
    });
  });

  it("shorten long values", () => {
    const text = described(z.object({ n: z.number() }), { n: "x".repeat(101) })["n"] ?? "";
    expect(text).toContain(`[input: ${"x".repeat(100)}…]`);
  });

  it("survive fields with the names of built-in properties", () => {
    const input = JSON.parse('{"__proto__": 1, "constructor": 2}');
    expect(Object.entries(described(z.strictObject({}), input))).toEqual([
      ["__proto__", "Extra inputs are not permitted [input: 1]"],
      ["constructor", "Extra inputs are not permitted [input: 2]"],
    ]);
  });
});

describe("possible secrets are not repeated", () => {
  it.each([
    ["by the name of its field", { webhook: "x" }],
    ["by the name of a field around it", { api_key: { value: "x" } }],
    ["as an address of Slack", { url: "https://hooks.slack.com/services/T/B/x" }],
    ["as one of our keys", { note: `de_${"x".repeat(49)}` }],
    ["as one of our older keys", { note: `de_${"x".repeat(43)}` }],
    ["as one of our access tokens", { note: `det_${"x".repeat(43)}` }],
    ["as a token of GitHub", { note: "ghp_abc" }],
    ["as an address with a password", { url: "https://user:pass@x.example" }],
  ])("%s", (_, input) => {
    const texts = Object.values(described(z.strictObject({}), input));
    expect(texts.join()).toMatch(/^Extra inputs are not permitted( \[input: \{\.\.\.\}\])?$/);
  });
});
