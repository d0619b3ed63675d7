import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sliceOf, withinRange } from "../../../../src/service/kernel/paging.ts";
import {
  parseBound,
  parseInterval,
  parseMoment,
} from "../../../../src/service/runtime/snapshots/interval.ts";

const NOW = 1_780_000_000;
const number = (value: number) => ({ kind: "number", number: value });
const time = (value: number) => ({ kind: "time", time: value });

describe("an interval", () => {
  it.each([
    ["1..NOW", number(1), number(-1)],
    ["5..10", number(5), number(10)],
    ["-5..-2", number(-5), number(-2)],
    ["~5..NOW", { kind: "behind", count: 5 }, number(-1)],
    ["@{2.days.ago}..@{now}", time(NOW - 172_800), time(NOW)],
    ["5..", number(5), number(-1)],
    ["..5", number(-1), number(5)],
    ["..", number(-1), number(-1)],
    ["NOW", number(-1), number(-1)],
    ["2", number(2), number(-1)],
    ["-1", number(-1), number(-1)],
    ["~2", { kind: "behind", count: 2 }, number(-1)],
    ["@{2.days.ago}", time(NOW - 172_800), number(-1)],
    ["1700000000", time(1_700_000_000), number(-1)],
  ])("%s is understood", (text, start, end) => {
    expect(parseInterval(text, NOW)).toEqual({ start, end });
  });

  it.each(["", "x", "5.5", " ", "5.. ", "5...6", "a..b", "1..2..3", "5..6.."])("'%s' is invalid", (text) => {
    expect(parseInterval(text, NOW)).toBeUndefined();
  });
});

describe("one end of an interval", () => {
  it.each([
    ["now", number(-1)],
    ["1h", time(NOW - 3600)],
    ["1hour", time(NOW - 3600)],
    ["2days", time(NOW - 172_800)],
    ["30mins", time(NOW - 1800)],
    ["1700000000", time(1_700_000_000)],
    ["1700000000.5", time(1_700_000_000.5)],
    ["-3", number(-3)],
    ["7", number(7)],
  ])("%s is understood", (text, bound) => {
    expect(parseBound(text, NOW)).toEqual(bound);
  });

  it.each(["yesterday", "1y", "h", "1.5", "9".repeat(400)])("'%s' is invalid", (text) => {
    expect(parseBound(text, NOW)).toBeUndefined();
  });
});

it("a time in a query is Unix seconds or ISO 8601", () => {
  expect(parseMoment("1700000000.25")).toBe(1_700_000_000.25);
  expect(parseMoment("2026-01-01T00:00:00Z")).toBe(Date.UTC(2026, 0, 1) / 1000);
  expect(parseMoment("2026-01-01T00:00:00")).toBe(Date.UTC(2026, 0, 1) / 1000);
  expect(parseMoment("2026")).toBe(Date.UTC(2026, 0, 1) / 1000);
  expect(parseMoment("soon")).toBeUndefined();
});

it("the pages of a range include every index once, in order", () => {
  const sizes = {
    first: fc.integer({ min: 1, max: 50 }),
    length: fc.nat(60),
    perPage: fc.integer({ min: 1, max: 20 }),
  };
  fc.assert(
    fc.property(fc.record(sizes), fc.boolean(), ({ first, length, perPage }, newestFirst) => {
      const range = { first, last: first + length - 1 };
      const shown = Array.from({ length: Math.ceil(length / perPage) + 2 }, (_, i) => {
        const window = withinRange(range, sliceOf({ page: i + 1, perPage }), { newestFirst });
        const places = Array.from(
          { length: Math.max(0, window.last - window.first + 1) },
          (_place, offset) => window.first + offset,
        );
        expect(places.length).toBeLessThanOrEqual(perPage);
        return newestFirst ? places.reverse() : places;
      }).flat();
      const all = Array.from({ length }, (_, i) => first + i);
      expect(shown).toEqual(newestFirst ? all.reverse() : all);
    }),
  );
});
