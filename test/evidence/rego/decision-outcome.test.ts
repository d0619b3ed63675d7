import { expect, it } from "vitest";
import { outcomeOf } from "../../../src/evidence/rego/decision-outcome.ts";

const DENIES = { warnOnly: false, effectiveFrom: null };
const WARNS = { warnOnly: true, effectiveFrom: null };
const FROM_100 = { warnOnly: false, effectiveFrom: 100 };

it.each([
  ["a denial", DENIES, false, 1, { isCompliant: false, warned: false }],
  ["an allowed input", DENIES, true, 1, { isCompliant: true, warned: false }],
  ["a denial of a policy that only warns", WARNS, false, 1, { isCompliant: true, warned: true }],
  ["an allowed input of a policy that only warns", WARNS, true, 1, { isCompliant: true, warned: false }],
  ["a denial before the policy takes effect", FROM_100, false, 99.9, { isCompliant: true, warned: true }],
  ["a denial at the time from which it counts", FROM_100, false, 100, { isCompliant: false, warned: false }],
  [
    "a denial of a policy that only warns, after its time",
    { warnOnly: true, effectiveFrom: 100 },
    false,
    101,
    { isCompliant: true, warned: true },
  ],
])("%s", (_, policy, allow, at, expected) => {
  expect(outcomeOf(policy, { allow }, at)).toEqual(expected);
});
