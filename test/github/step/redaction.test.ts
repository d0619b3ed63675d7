import { describe, expect, test } from "vitest";
import { withoutAuthors, withoutOwner } from "../../../src/github/step/redaction.ts";

test.each([
  ["ada:feature", "**REDACTED**:feature"],
  [":feature", "**REDACTED**:feature"],
  ["feature", "feature"],
])("the branch %s is recorded as %s", (branch, expected) => {
  expect(withoutOwner(branch)).toBe(expected);
});

describe("a message without its authors", () => {
  test.each([
    ["Fix\n\nSigned-off-by: Ada <ada@example.com>", "Fix"],
    ["Fix\r\n\r\nCo-authored-by: Bob\r\nReviewed-by: Cyd\r\n", "Fix\r\n\r\nReviewed-by: Cyd"],
    ["SIGNED-OFF-BY: Ada\nFix", "Fix"],
    ["Fix\n \t co-authored-by:Bob\nmore", "Fix\nmore"],
    ["Fix\nSigned-off-by:\nmore", "Fix\nmore"],
    ["Fix\nSigned-off-by: Ada\nSigned-off-by: Bob\n\nmore", "Fix\n\nmore"],
  ])("omits the lines that name them: %j", (message, expected) => {
    expect(withoutAuthors(message)).toBe(expected);
  });

  test.each([
    "  indented",
    "The trailer Signed-off-by: is missing",
    "signed-off-by Ada",
    "not-signed-off-by: x",
  ])("is unchanged: %j", (message) => {
    expect(withoutAuthors(message)).toBe(message);
  });
});
