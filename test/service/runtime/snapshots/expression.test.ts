import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parseSnappish,
  parseSnapshotExpression,
  parseTimestamp,
} from "../../../../src/service/runtime/snapshots/expression.ts";

/** 2026-05-31 12:00:00 UTC */
const NOW = Date.UTC(2026, 4, 31, 12) / 1000;
const utc = (...parts: [number, number, number, number?, number?, number?]) => Date.UTC(...parts) / 1000;

describe("a snapshot expression", () => {
  it.each([
    ["12", { kind: "number", number: 12 }],
    ["#12", { kind: "number", number: 12 }],
    ["0", { kind: "number", number: 0 }],
    ["-1", { kind: "number", number: -1 }],
    ["~0", { kind: "behind", count: 0 }],
    ["~3", { kind: "behind", count: 3 }],
    ["@{now}", { kind: "time", time: NOW }],
    ["@{2026-01-31T12:30:15}", { kind: "time", time: utc(2026, 0, 31, 12, 30, 15) }],
    ["@{2026-01-31T12:30:15+02:00}", { kind: "time", time: utc(2026, 0, 31, 10, 30, 15) }],
    ["@{2026-01-31}", { kind: "time", time: utc(2026, 0, 31) }],
    ["@{3.hours.ago}", { kind: "time", time: NOW - 3 * 3600 }],
    ["@{1.day.ago}", { kind: "time", time: NOW - 86_400 }],
    ["@{2.weeks.ago}", { kind: "time", time: NOW - 14 * 86_400 }],
    ["@{1.months.ago}", { kind: "time", time: utc(2026, 3, 30, 12) }],
    ["@{3.months.ago}", { kind: "time", time: utc(2026, 1, 28, 12) }],
    ["@{5.months.ago}", { kind: "time", time: utc(2025, 11, 31, 12) }],
  ])("%s is understood", (text, expected) => {
    expect(parseSnapshotExpression(text, NOW)).toEqual(expected);
  });

  it.each([
    "",
    "latest",
    "1.5",
    "--1",
    "~-1",
    "~",
    "@{}",
    "@{tomorrow}",
    "@{1.years.ago}",
    "@{2026-13-01}",
    "@now",
  ])("'%s' is invalid", (text) => {
    expect(parseSnapshotExpression(text, NOW)).toBeUndefined();
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("", "@{", "~", "#"), (text, start) => {
        parseSnapshotExpression(`${start}${text}}`, NOW);
        parseSnappish(`${text}${start}`, NOW);
      }),
    );
  });
});

describe("a timestamp", () => {
  it("is in UTC without a zone", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        const iso = new Date(seconds * 1000).toISOString();
        expect(parseTimestamp(iso)).toBe(seconds);
        expect(parseTimestamp(iso.slice(0, 19))).toBe(seconds);
      }),
    );
  });

  it("has a day that exists in its month", () => {
    expect(parseTimestamp("2024-02-29")).toBe(utc(2024, 1, 29));
    expect(parseTimestamp("2026-02-29")).toBeUndefined();
    expect(parseTimestamp("2026-01-01T25:00:00")).toBeUndefined();
  });
});

describe("a snapshot expression with its environment", () => {
  it.each([
    ["staging", "staging", { kind: "number", number: -1 }],
    ["staging#10", "staging", { kind: "number", number: 10 }],
    ["staging#-2", "staging", { kind: "number", number: -2 }],
    ["my-env.eu~2", "my-env.eu", { kind: "behind", count: 2 }],
    ["staging@{now}", "staging", { kind: "time", time: NOW }],
    ["a~b", "a~b", { kind: "number", number: -1 }],
  ])("%s is understood", (text, environment, expression) => {
    expect(parseSnappish(text, NOW)).toMatchObject({ environment, expression });
  });

  it.each(["", "#1", "staging#", "staging#x", "staging@{never}", "a#1#2"])("'%s' is invalid", (text) => {
    expect(parseSnappish(text, NOW)).toBeUndefined();
  });
});
