import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checksumOf, generateKey } from "../../src/service/people/accounts/keys.ts";

const page = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");

/** The pattern for GitHub, and that of the gitleaks rule: JavaScript, RE2 and Hyperscan read both in the same way. */
const patterns = [/^```text\n(de_.+)\n```$/m, /^regex = '''(.+)'''$/m].map(
  (place) => new RegExp(place.exec(page)?.[1] ?? "no expression", "g"),
);

describe.each(patterns)("the documented pattern %s", (pattern) => {
  test("finds every new key whole, anywhere in a text", () => {
    const keys = Array.from({ length: 1_000 }, generateKey);
    for (const key of keys) {
      const text = `EVIDENCE_API_KEY=${key}\n{"api_key": "${key}"}, Bearer ${key}, https://x.example/?key=${key}&a=b`;
      expect(text.match(pattern)).toEqual([key, key, key, key]);
    }
  });

  test.each([
    ["a truncated key", generateKey().slice(0, 48)],
    ["a placeholder for a key", "EVIDENCE_API_KEY=de_..."],
    ["an access token", `det_${"x".repeat(43)}`],
    ["a long name", `de_${"nombre_de_la_clave_".repeat(2)}`],
    ["a checksum with a dash", `de_${"x".repeat(43)}-00000`],
  ])("does not find %s", (_, text) => {
    expect(text.match(pattern)).toBeNull();
  });
});

test("the checksum distinguishes a key from lookalikes", () => {
  const key = generateKey();
  const other = `${key.slice(0, 10)}${key[10] === "A" ? "B" : "A"}${key.slice(11)}`;
  expect(checksumOf(other.slice(0, 46))).not.toBe(other.slice(46));
});
