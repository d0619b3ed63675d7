import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backoff, isRetriedStatus, pause, retryAfter } from "../../src/net/retry.ts";

describe("our own wait", () => {
  test.each([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [6, 16_000],
    [7, 20_000],
    [21, 20_000],
    [5000, 20_000],
  ])("after attempt %i is at most %i ms", (attempt, most) => {
    expect(backoff(attempt, 1)).toBe(most);
    expect(backoff(attempt, 0.5)).toBe(most / 2);
    expect(backoff(attempt, 0)).toBe(0);
  });

  test("differs from client to client", () => {
    expect(new Set(Array.from({ length: 50 }, () => backoff(5))).size).toBeGreaterThan(40);
  });

  test("never leaves its bounds", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, random) => {
          const wait = backoff(attempt, random);
          expect(wait).toBeGreaterThanOrEqual(0);
          expect(wait).toBeLessThanOrEqual(Math.min(20_000, 500 * 2 ** (attempt - 1)));
        },
      ),
    );
  });
});

describe("Retry-After", () => {
  const now = Date.UTC(2026, 10, 20, 12, 0, 0);

  test.each([
    ["0", 0],
    ["1", 1000],
    [" 120 ", 120_000],
    ["86400", 86_400_000],
    ["Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
    ["Friday, 20-Nov-26 12:00:30 GMT", 30_000],
    ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
  ])("'%s' is read", (header, wait) => {
    expect(retryAfter({ "retry-after": header }, now)).toBe(wait);
  });

  test.each([
    ["Fri, 20 Nov 2026 10:00:00 GMT", 7_230_000],
    ["yesterday", 30_000],
  ])("as a date counts from Date, and from our own clock without a valid one: '%s'", (date, wait) => {
    expect(retryAfter({ "retry-after": "Fri, 20 Nov 2026 12:00:30 GMT", date }, now)).toBe(wait);
  });

  test.each([
    undefined,
    "",
    "soon",
    "-5",
    "1.5",
    "1e3",
    "0x10",
    "5 s",
    "in 2099",
    "20/11/2099",
    "2099-11-20",
    "NaN",
    "Infinity",
  ])("%o is ignored", (header) => {
    expect(retryAfter({ "retry-after": header }, now)).toBeUndefined();
  });
});

test("only statuses that may change are retried", () => {
  const retried = Array.from({ length: 500 }, (_, i) => i + 100).filter(isRetriedStatus);
  expect(retried).toEqual([408, 409, 425, 429, 500, 502, 503, 504]);
});

describe("a pause", () => {
  test("ends with the reason of its signal", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const waiting = pause(60_000, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  test("does not start when the signal has already aborted", async () => {
    await expect(pause(60_000, AbortSignal.abort("done"))).rejects.toBe("done");
  });

  test("ends after its time", async () => {
    await expect(pause(1, new AbortController().signal)).resolves.toBeUndefined();
  });
});
