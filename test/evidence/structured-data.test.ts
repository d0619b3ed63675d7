import { describe, expect, test } from "vitest";
import { parseStructured } from "../../src/evidence/structured-data.ts";

const read = (text: string) => parseStructured(text, { input: "body" });

describe("data as JSON or YAML", () => {
  test.each([
    ['{"a": [1, null, true]}', { a: [1, null, true] }],
    ["a: [1, null, true]\n", { a: [1, null, true] }],
    ["{a: b}", { a: "b" }],
    ["- x\n- y: 1\n", ["x", { y: 1 }]],
    ["on: yes\noff: no\n", { on: "yes", off: "no" }],
    ["when: 2027-01-31\n", { when: "2027-01-31" }],
    ["word", "word"],
  ])("%j is read with its YAML types", async (text, expected) => {
    expect(await read(text)).toEqual(expected);
  });

  test.each(['{"id": 9007199254740993}', "id: 9007199254740993\n"])("%j keeps its digits", async (text) => {
    expect(JSON.stringify(await read(text))).toBe('{"id":9007199254740993}');
  });

  test("numbers stay as they are written, where JSON allows that", async () => {
    const list = "1.10, 1.0, -0, 1e3, 0.10, 12345678901234567890.5";
    expect(JSON.stringify(await read(`[${list}]`))).toBe(`[${list.replaceAll(" ", "")}]`);
    const yaml = list
      .split(", ")
      .map((number) => `- ${number}\n`)
      .join("");
    expect(JSON.stringify(await read(yaml))).toBe(`[${list.replaceAll(" ", "")}]`);
    expect(await read("- 0x1F\n- .5\n- +1.10\n- 007\n- 1.\n")).toEqual([31, 0.5, 1.1, 7, 1]);
  });

  test.each([
    ["1.10: a\n1.1: b\n1.0: c\n", { "1.10": "a", "1.1": "b", "1.0": "c" }],
    ["9007199254740993: a\n0x1F: b\n007: c\n", { "9007199254740993": "a", "0x1F": "b", "007": "c" }],
    ["{null: a, True: b, '2.0': c, word: d}", { null: "a", True: "b", "2.0": "c", word: "d" }],
    ["&a 1.50: &b 2.50\nlist: [*a, *b]\n*b : c\n", { "1.50": 2.5, list: [1.5, 2.5], "2.50": "c" }],
    ["a: &a 1\nb: &a [2]\nc: *a\n", { a: 1, b: [2], c: [2] }],
  ])("keys in %j are the literal texts", async (text, expected) => {
    expect(JSON.parse(JSON.stringify(await read(text)))).toEqual(expected);
  });

  test("a key named __proto__ is a key", async () => {
    const data = await read("__proto__: {polluted: true}\n");
    expect(JSON.stringify(data)).toBe('{"__proto__":{"polluted":true}}');
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test.each([
    ["a: [", "body: line 1, column 5: "],
    ["a: 1\na: 2\n", "body: line 2, column 1: Map keys must be unique"],
    ["1.10: a\n'1.10': b\n", "body: line 2, column 1: Map keys must be unique"],
    ["\ta: 1", "body: line 1, column 1: "],
  ])(
    "a violation of the rules in %j is reported with its position, and nothing around it is shown",
    async (text, problem) => {
      const refusal: unknown = await read(text).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Error);
      const { message } = refusal instanceof Error ? refusal : new Error();
      expect(message.startsWith(problem), message).toBe(true);
      expect(message).not.toContain("\n");
    },
  );

  test("aliases that expand to billions of values are rejected", async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(9)}]`);
    await expect(read(["l0: &l0 [x]", ...levels].join("\n"))).rejects.toThrow("repeats its aliases");
  });

  test("values stay literal texts on request", async () => {
    const texts = (text: string) => parseStructured(text, { input: "params", textsOnly: true });
    const expected = { v: "1.10", on: "true", none: "null", list: ["007"] };
    expect(await texts("v: 1.10\non: true\nnone: null\nlist: [007]\n")).toEqual(expected);
    expect(await texts('{"v": 1.10, "on": true, "none": null, "list": ["007"]}')).toEqual(expected);
  });
});
