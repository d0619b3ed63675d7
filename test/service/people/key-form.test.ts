import { expect, test } from "vitest";
import { checksumOf, generateKey } from "../../../src/service/people/accounts/keys.ts";

// From another implementation of CRC32 and base 62.
test.each([
  ["a", "4GEHKN"],
  ["123456789", "3jZRME"],
  [`de_${"A".repeat(43)}`, "3n56gM"],
  ["de_0000000000000000000000000000000000000000262", "00p6B5"],
])("the checksum of %s is %s", (text, checksum) => {
  expect(checksumOf(text)).toBe(checksum);
});

test("a new key ends in the checksum of the preceding characters", () => {
  const keys = Array.from({ length: 1_000 }, generateKey);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key.slice(46)).toBe(checksumOf(key.slice(0, 46)));
});
