import { expect, test } from "vitest";
import { boundedJson, type Change } from "../../../src/actions/running-commit/changes.ts";

function change(index: number, subject: string): Change {
  return {
    commit: { sha: String(index).padStart(40, "0"), subject },
    evidence: { state: "UNKNOWN" },
  };
}

test("an unknown value is null", () => {
  expect(JSON.parse(boundedJson([change(1, "x")]).json)).toEqual([
    {
      sha: `${"0".repeat(39)}1`,
      subject: "x",
      author: null,
      username: null,
      timestamp: null,
      url: null,
      pull_requests: null,
      evidence: "UNKNOWN",
      trail: null,
      trail_url: null,
    },
  ]);
});

test("changes are truncated to the size of a variable, from the first, and marked as truncated", () => {
  const changes = Array.from({ length: 1_000 }, (_, index) => change(index, "ü".repeat(500)));
  const { json, all } = boundedJson(changes);
  const written: { sha: string }[] = JSON.parse(json);
  expect(all).toBe(false);
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(100_000);
  expect(Buffer.byteLength(json)).toBeGreaterThan(95_000);
  expect(written[0]?.sha).toBe(changes[0]?.commit.sha);
});

test("a few changes are complete", () => {
  expect(boundedJson([])).toEqual({ json: "[]", all: true });
  expect(boundedJson([change(1, "x"), change(2, "y")]).all).toBe(true);
});
