import { describe, expect, it } from "vitest";
import { bucketsBetween, placeIn, type Unit } from "../../../../src/service/runtime/trends/buckets.ts";

const at = (text: string) => Date.parse(text) / 1000;
const shown = (from: string, to: string, unit: Unit, tz = "UTC") =>
  bucketsBetween(at(from), at(to), { unit, tz }).map(({ start, isPartial }) => [
    new Date(start * 1000).toISOString().slice(0, 16),
    isPartial,
  ]);

describe("buckets", () => {
  it("of weeks begin on Monday, and the last one may not be over", () => {
    expect(shown("2026-01-01T12:00Z", "2026-01-12T00:00Z", "week")).toEqual([
      ["2025-12-29T00:00", false],
      ["2026-01-05T00:00", false],
      ["2026-01-12T00:00", true],
    ]);
  });

  it("of months have their own lengths", () => {
    expect(shown("2024-01-31T12:00Z", "2024-03-01T00:00Z", "month")).toEqual([
      ["2024-01-01T00:00", false],
      ["2024-02-01T00:00", false],
      ["2024-03-01T00:00", true],
    ]);
  });

  it("follow the clock of their zone through summer time", () => {
    expect(shown("2026-03-28T12:00Z", "2026-03-30T12:00Z", "day", "Europe/Berlin")).toEqual([
      ["2026-03-27T23:00", false],
      ["2026-03-28T23:00", false],
      ["2026-03-29T22:00", true],
    ]);
  });

  it("contain their start and not their end", () => {
    const buckets = bucketsBetween(0, 2 * 86_400, { unit: "day", tz: "UTC" });
    const places = [-1, 0, 86_399, 86_400, 172_800, 999_999].map((time) => placeIn(buckets, time));
    expect(places).toEqual([-1, 0, 0, 1, 2, 2]);
  });
});
