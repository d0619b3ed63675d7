import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance, nearest } from "../../src/api/nearest.ts";

const NAMES = ["attestGeneric", "attestJunit", "listRepos", "listTrails", "createFlow", "getTrail"];

describe("the nearest names", () => {
  test.each([
    ["listRepo", "listRepos"],
    ["LISTREPOS", "listRepos"],
    ["repos", "listRepos"],
    ["atestGenric", "attestGeneric"],
    ["creatFlow", "createFlow"],
  ])("to %s begin with %s", (word, expected) => {
    expect(nearest(word, NAMES)[0]).toBe(expected);
  });

  test("are at most three, the nearest first", () => {
    expect(nearest("listTrail", NAMES)).toEqual(["listTrails", "getTrail"]);
    expect(nearest("aaaa1", ["aaaa2", "aaaa3", "aaaa4", "aaaa5"])).toHaveLength(3);
  });

  test("are none if no name is near", () => {
    expect(nearest("zzzzzzzz", NAMES)).toEqual([]);
    expect(nearest("", NAMES)).toEqual([]);
    for (const word of ["ls", "up", "pull", "start"])
      expect(nearest(word, ["up-to", "keys", "call", "share"])).toEqual([]);
  });
});

describe("the edit distance", () => {
  test("counts letters added, removed and replaced", () => {
    expect(editDistance("kitten", "sitting")).toBe(3);
    expect(editDistance("", "abc")).toBe(3);
  });

  test("is a distance: nothing to itself, the same both ways, never longer by way of a third", () => {
    const word = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, a)).toBe(0);
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      }),
    );
  });
});
