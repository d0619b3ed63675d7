import { describe, expect, test } from "vitest";
import { compileNamePattern, hasWildcard } from "../../src/evidence/name-pattern.ts";

describe("a pattern for names, as Go's filepath.Match reads it,", () => {
  test.each([
    ["", [""], ["a"]],
    ["app", ["app"], ["ap", "apps", "App", ""]],
    ["*", ["", "app", ".env"], []],
    ["*.log", [".log", "a.log", "a.b.log"], ["a.log.1", "alog"]],
    ["a*b*c", ["abc", "aXbYc", "abbcbc"], ["ab", "acb", "abcd"]],
    ["a*", ["a", "ab"], ["ba"]],
    ["**a", ["a", "ba"], ["ab"]],
    ["a?c", ["abc", "a𝕏c"], ["ac", "abbc"]],
    ["?", ["a", "𝕏"], ["", "ab"]],
    ["*?b", ["ab", "bb", "abb"], ["b", "ba"]],
    ["[abc]", ["a", "b", "c"], ["d", "", "ab", "-"]],
    ["[a-c]", ["a", "b", "c"], ["`", "d", "-"]],
    ["[a-cx-z0]", ["b", "y", "0"], ["d", "w", "1"]],
    ["[^a-c]", ["d", "^", "𝕏"], ["a", "b", "c", ""]],
    ["[a^]", ["a", "^"], ["b"]],
    ["[!a]", ["!", "a"], ["b"]],
    ["[à-ü]", ["é"], ["e"]],
    ["[\\]]", ["]"], ["\\"]],
    ["[\\--a]", ["-", "A", "a"], [",", "b"]],
    ["[a-\\]]", [], ["a", "]"]],
    ["[[]x", ["[x"], ["x"]],
    ["[a]]", ["a]"], ["a"]],
    ["x[a]y", ["xay"], ["xa", "xy"]],
    ["\\*", ["*"], ["a", "\\*"]],
    ["\\\\", ["\\"], ["\\\\"]],
    ["{a,b}", ["{a,b}"], ["a"]],
    ["]", ["]"], []],
  ])("%j matches %j and not %j", (pattern, matching, others) => {
    const matches = compileNamePattern(pattern);
    const isFound = (name: string) => matches?.(name);
    expect(matching.filter((name) => isFound(name) !== true)).toEqual([]);
    expect(others.filter((name) => isFound(name) !== false)).toEqual([]);
  });

  test.each([
    "[",
    "[]",
    "[]a]",
    "[^",
    "[^]",
    "[a",
    "[a-",
    "[a-]",
    "[a-]x]",
    "[-a]",
    "[a-b",
    "[\\",
    "[\\]",
    "[a\\",
    "\\",
    "a\\",
    "[a][",
  ])("%j is malformed", (pattern) => {
    expect(compileNamePattern(pattern)).toBeUndefined();
  });

  test("has wildcards when it contains a star, a question mark, a bracket or a backslash", () => {
    const names = ["*", "a?", "[a", "a\\b", "a]b", "{a}", "!a", ""];
    expect(names.filter(hasWildcard)).toEqual(["*", "a?", "[a", "a\\b"]);
  });
});
