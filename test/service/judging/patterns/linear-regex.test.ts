import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compilePattern,
  MAX_PATTERN_LENGTH,
  MAX_PATTERN_STATES,
} from "../../../../src/service/judging/patterns/linear-regex.ts";
import { PatternError } from "../../../../src/service/judging/patterns/pattern-error.ts";
import { codePoint } from "../../../code-point.ts";

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

  it("matches in linear time where a backtracking engine tries 2^5000 ways", () => {
    expect(compilePattern("^(a+)+$").test(`${"a".repeat(5_000)}!`)).toBe(false);
  });

  it.each([
    ["(", "the pattern '(' is not valid: missing closing )"],
    ["a{2000}", "the pattern 'a{2000}' is not valid: invalid repeat count"],
    ["(?<=x)y", "the pattern '(?<=x)y' is not valid"],
    ["(a)\\1", "the pattern '(a)\\1' is not valid: invalid escape sequence"],
    ["((a{1,100}){1,100}){1,100}", "invalid repeat count"],
    ["(a{1000}){1000}", "the pattern '(a{1000}){1000}' is not valid: invalid repeat count"],
    [
      "(abc){1000}",
      "the pattern '(abc){1000}' needs 5002 states; the limit is 2000: use smaller repeat counts",
    ],
    ["\\pL{1000}".repeat(100), /^the pattern '(\\pL\{1000\}){11}\\…' needs 100002 states; the limit is 2000/],
  ])("refuses %s with the pattern and the reason", (pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(PatternError);
    expect(() => compilePattern(pattern)).toThrow(reason);
  });

  it("may have as many characters as the limit allows, and no more", () => {
    expect(compilePattern("a".repeat(MAX_PATTERN_LENGTH)).test("a")).toBe(false);
    expect(() => compilePattern("a".repeat(MAX_PATTERN_LENGTH + 1))).toThrow(
      "has 1001 characters; the limit is 1000",
    );
  });

  it.each(["a", "a?", "(a)", "a|", "\\b", "(|a)", "(a*)*", "[^a]", "(?i:k)", "()"])(
    "of the greatest length stays within the state limit without repeat counts: %s repeated",
    (piece) => {
      const pattern = piece.repeat(MAX_PATTERN_LENGTH / piece.length);
      expect(() => compilePattern(pattern)).not.toThrow(`limit is ${MAX_PATTERN_STATES}`);
    },
  );

  it("is compiled or refused, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 30 }), (pattern) => {
        try {
          compilePattern(pattern);
        } catch (error) {
          expect(error).toBeInstanceOf(PatternError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
