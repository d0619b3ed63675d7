import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { unpackSnappy } from "../../../src/github/attestations/snappy.ts";

const LIMIT = 1_000_000;
const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(typeof part === "string" ? part : [...part])));
const unpacked = (packed: Uint8Array, limit = LIMIT) => Buffer.from(unpackSnappy(packed, limit)).toString();

describe("a block compressed by another program", () => {
  const fixtures = new URL("../../evidence/fixtures/provenance/", import.meta.url);

  test("is decompressed to a bundle", () => {
    const packed = readFileSync(new URL("public-repository.sigstore.json.snappy", fixtures));
    const bundle = readFileSync(new URL("public-repository.sigstore.json", fixtures), "utf8");
    expect(unpacked(packed)).toBe(bundle);
  });

  test("may repeat what it has just written", () => {
    const packed = Buffer.from(
      "9wPwTHsibWVkaWFUeXBlIjoiYXBwbGljYXRpb24vdm5kLmRldi5zaWdzdG9yZS5idW5kbGUudjAuMytqc29uIiwid29yZHMiOlsiYXR0ZXN0BTlUIiwib2YiLCJ0aGUiLCJhcnRpZmFjdAELBHR0/iQA/iQA/iQA/iQA/iQA/iQADSQEXX0=",
      "base64",
    );
    const words = Array.from({ length: 12 }, () => ["attestation", "of", "the", "artifact"]).flat();
    const mediaType = "application/vnd.dev.sigstore.bundle.v0.3+json";
    expect(JSON.parse(unpacked(packed))).toEqual({ mediaType, words });
  });
});

test.each([
  ["nothing", bytes([0]), ""],
  ["a literal", bytes([3], [2 << 2], "abc"), "abc"],
  ["a literal with its length in its own byte", bytes([64], [60 << 2, 63], "x".repeat(64)), "x".repeat(64)],
  ["a copy with one byte of offset", bytes([7], [2 << 2], "abc", [0b00000001, 3]), "abcabca"],
  ["a copy with two", bytes([4], [0], "a", [(2 << 2) | 2, 1, 0]), "aaaa"],
  ["a copy with four", bytes([4], [0], "a", [(2 << 2) | 3, 1, 0, 0, 0]), "aaaa"],
])("%s", (_, packed, text) => {
  expect(unpacked(packed)).toBe(text);
});

test.each([
  ["no bytes", bytes(), "it is not a Snappy block"],
  ["an unterminated length", bytes([255, 255, 255, 255, 255, 255]), "it is not a Snappy block"],
  ["less than its stated length", bytes([4], [0], "a"), "it is not a Snappy block"],
  ["a truncated literal", bytes([4], [3 << 2], "ab"), "it is not a Snappy block"],
  ["more than its stated length", bytes([1], [2 << 2], "abc"), "offset is out of bounds"],
  [
    "a copy from beyond the output so far",
    bytes([8], [0], "a", [(2 << 2) | 2, 2, 0]),
    "it is not a Snappy block",
  ],
  ["a copy with offset zero", bytes([8], [0], "a", [(2 << 2) | 2, 0, 0]), "it is not a Snappy block"],
  ["a copy beyond the stated length", bytes([2], [0], "a", [(9 << 2) | 2, 1, 0]), "it is not a Snappy block"],
  ["more than the limit", bytes([11], "x"), "it would have 11 bytes; the limit is 10"],
])("%s is rejected", (_, packed, message) => {
  expect(() => unpackSnappy(packed, 10)).toThrow(message);
});
