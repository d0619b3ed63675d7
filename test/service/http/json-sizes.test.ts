import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { keepDigits } from "../../../src/api/exact-numbers.ts";
import { parseExactJson } from "../../../src/service/kernel/exact-json.ts";
import { parseJson } from "../../../src/service/kernel/json-text.ts";

const list = (count: number, item: string) => `[${Array(count).fill(item).join()}]`;
const problemOf = (json: string) => {
  try {
    parseJson(json, "body");
    return undefined;
  } catch (error) {
    return error;
  }
};

afterEach(() => vi.restoreAllMocks());

describe("large JSON", () => {
  it.each([
    [4_000_001, "1"],
    [2_000_001, "{}"],
    [1_333_334, '{"a":[]}'],
  ])("%i times %s is refused with the limit before it is parsed", (count, item) => {
    const parse = vi.spyOn(JSON, "parse");
    expect(problemOf(list(count, item))).toMatchObject({
      code: "request.json_too_complex",
      errors: { body: "The JSON has too many values; the limit is 4000000" },
    });
    expect(parse).not.toHaveBeenCalled();
  });

  it("is accepted as a report of 150,000 pods with 25 values each", () => {
    const pod = `{"digests":{"${"a".repeat(60)}":"b"},"rest":[${Array(20).fill(1)}],"name":"n"}`;
    expect(problemOf(list(150_000, pod))).toBeUndefined();
  });

  it("is accepted with 100,000 exact numbers, and refused with more", () => {
    expect(problemOf(list(100_000, "1.10"))).toBeUndefined();
    expect(problemOf(list(100_001, "1.10"))).toMatchObject({
      code: "request.json_too_complex",
      errors: {
        body: expect.stringMatching(/too many numbers written as 1\.10.* limit is 100000$/),
      },
    });
  });

  it("is parsed without a reviver, which takes ten times as long, if a number must keep its digits", () => {
    const parse = vi.spyOn(JSON, "parse");
    expect(problemOf(`[1.10,${list(1_000, "1").slice(1)}`)).toBeUndefined();
    expect(parse.mock.calls.map((given) => given.length)).toEqual([1]);
  });
});

describe("exact numbers", () => {
  const number = fc.constantFrom(..."1.10 -0 -0.0 1e5 1E+2 0.5 12 9007199254740993 1e400 01 1. -".split(" "));
  const text = fc.string({ unit: fc.constantFrom('"', "\\", " ", ":", "1.10", "e", ",") });
  const json = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      number,
      text.map((value) => JSON.stringify(value)),
      fc.array(tie("value")).map((items) => `[ ${items.join(" , ")}]`),
      fc
        .array(fc.tuple(fc.constantFrom('"a"', '"__proto__"', '" 1.10"', "1.10"), tie("value")))
        .map((fields) => `{${fields.map(([name, value]) => `${name} : ${value}`).join()}}`),
    ),
  })).value;
  const outcome = (parse: () => unknown) => {
    try {
      return JSON.stringify(parse());
    } catch (error) {
      return String(error);
    }
  };

  it("are parsed as with a reviver, and invalid JSON is refused as by it", () => {
    fc.assert(
      fc.property(json, (value) => {
        const sent = ` [${value}, 1.10]`;
        expect(outcome(() => parseExactJson(sent))).toBe(outcome(() => JSON.parse(sent, keepDigits)));
      }),
      { numRuns: 2_000 },
    );
  });
});
