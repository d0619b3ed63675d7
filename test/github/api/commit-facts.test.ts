import { describe, expect, test } from "vitest";
import { asCommitSha, signature, unixSeconds } from "../../../src/github/api/commit-facts.ts";

describe("a commit is named", () => {
  const sha = "0123456789abcdef0123456789abcdef01234567";

  test.each([sha, sha.toUpperCase(), ` ${sha}\n`])("in full, in lower case: %j", (text) => {
    expect(asCommitSha(text)).toBe(sha);
  });

  test("by 40 digits that are not all zeros, though they may begin or end with zeros", () => {
    expect(asCommitSha("0".repeat(40))).toBeUndefined();
    for (const text of [`1${"0".repeat(39)}`, `${"0".repeat(39)}1`]) expect(asCommitSha(text)).toBe(text);
  });

  test.each([undefined, "", "HEAD", sha.slice(1), `${sha}0`, `x${sha}`, `${sha}x`, sha.replace("a", "g")])(
    "not by %j",
    (text) => {
      expect(asCommitSha(text)).toBeUndefined();
    },
  );
});

describe("the signature of an author", () => {
  test.each([
    ["Ada", "ada@example.com", "Ada <ada@example.com>"],
    [" Ada ", " ada@example.com\n", "Ada <ada@example.com>"],
    ["Ada", undefined, "Ada"],
    ["Ada", "  ", "Ada"],
    [undefined, "ada@example.com", "<ada@example.com>"],
    ["  ", "ada@example.com", "<ada@example.com>"],
    [undefined, undefined, undefined],
    ["", "", undefined],
  ])("from %j and %j is %j", (name, email, expected) => {
    expect(signature(name, email)).toBe(expected);
  });
});

test.each([
  ["2023-11-14T23:13:20+01:00", 1_700_000_000],
  ["2023-11-14T22:13:20.999Z", 1_700_000_000],
  ["1969-12-31T23:59:59.500Z", -1],
  ["yesterday", undefined],
  ["", undefined],
  [undefined, undefined],
])("the time %j is %j in Unix seconds", (time, expected) => {
  expect(unixSeconds(time)).toBe(expected);
});
