import { describe, expect, it } from "vitest";
import { compilePattern, MAX_PATTERN_LENGTH, PatternError } from "../../src/service/linear-regex.ts";

describe("a pattern", () => {
  it.each([
    ["^unit-", "unit-api", true],
    ["^unit-", "my-unit-api", false],
    ["a|b$", "xb", true],
    ["\\d{2}\\/\\u00e9", "12/é", true],
    ["(?<year>\\d+)", "2030", true],
    ["(?i)LINT", "eslint", true],
  ])("%s found in %j: %s", (pattern, text, found) => {
    expect(compilePattern(pattern).test(text)).toBe(found);
  });

  it("can be asked to match the whole text", () => {
    expect(compilePattern("unit").testWhole("unit-api")).toBe(false);
    expect(compilePattern("unit.*").testWhole("unit-api")).toBe(true);
  });

  it("that makes a backtracking engine try 2^5000 ways is answered as any other", () => {
    expect(compilePattern("^(a+)+$").test(`${"a".repeat(5_000)}!`)).toBe(false);
  });

  it.each([
    ["(", "missing closing )"],
    ["a{2000}", "invalid repeat count"],
    ["(?<=x)y", "the pattern is not valid"],
    ["(a)\\1", "invalid escape sequence"],
    ["((a{1,100}){1,100}){1,100}", "invalid repeat count"],
  ])("%s is refused with the reason", (pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(PatternError);
    expect(() => compilePattern(pattern)).toThrow(reason);
  });

  it("may have as many characters as the limit says, and no more", () => {
    expect(compilePattern("a".repeat(MAX_PATTERN_LENGTH)).test("a")).toBe(false);
    expect(() => compilePattern("a".repeat(MAX_PATTERN_LENGTH + 1))).toThrow(
      "the pattern has 1001 characters; the limit is 1000",
    );
  });
});
