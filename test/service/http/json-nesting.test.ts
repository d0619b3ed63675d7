import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/service/kernel/json-text.ts";

const nested = (depth: number, inner = "") => `${"[".repeat(depth)}${inner}${"]".repeat(depth)}`;
const refused = (json: string) => expect(() => parseJson(json, "body")).toThrow();

describe("nested JSON", () => {
  it("of 500 levels is accepted, and deeper is refused", () => {
    expect(parseJson(nested(500), "body")).toBeDefined();
    refused(nested(501));
    refused(`{"a":${nested(499, "{}")}}`);
  });

  it("ignores brackets within strings, with any escapes", () => {
    const text = fc.string({ unit: fc.constantFrom("[", "{", "]", "}", '"', "\\", "a", "\n") });
    const key = text.filter((name) => name !== "__proto__");
    fc.assert(
      fc.property(fc.array(text), fc.dictionary(key, text), (list, map) => {
        const value = { list, map, many: "[".repeat(600) };
        expect(parseJson(JSON.stringify(value), "body")).toEqual(value);
        refused(`[${JSON.stringify(value)},${nested(500)}]`);
      }),
    );
  });

  it.each(['"', '"\\', '["a\\"', `${"[".repeat(600)}"`])("that ends within a string is refused: %s", refused);
});
