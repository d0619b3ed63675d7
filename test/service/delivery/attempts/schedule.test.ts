import { expect, test } from "vitest";
import { waitAfter } from "../../../../src/service/delivery/attempts/record.ts";

const HOUR = 3600;
const middle = () => 0.5;

test("nine delays, 75 hours in all, and then none", () => {
  const waits = Array.from({ length: 10 }, (_, index) => waitAfter({ attempts: index + 1, random: middle }));
  expect(waits).toEqual([
    ...[5, 300, 1800],
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
    undefined,
  ]);
});

test("a delay is up to a fifth shorter or longer", () => {
  expect(waitAfter({ attempts: 2, random: () => 0 })).toBe(240);
  expect(waitAfter({ attempts: 2, random: () => 1 })).toBe(360);
});

test("a target may request a longer delay, but no shorter one and none beyond a day", () => {
  const requested = (retryAfterSeconds: number, attempts = 1) =>
    waitAfter({ attempts, retryAfterSeconds, random: middle });
  expect(requested(120)).toBe(120);
  expect(requested(1)).toBe(5);
  expect(requested(90 * HOUR)).toBe(24 * HOUR);
  expect(requested(120, 10)).toBeUndefined();
});
