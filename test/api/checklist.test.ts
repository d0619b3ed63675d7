import { expect, test } from "vitest";
import { checklistOf, countsText } from "../../src/api/checklist.ts";

const slot = (attestationName: string, more: object = {}) => ({
  attestationName,
  attestationType: "generic",
  attestationId: `id-${attestationName}`,
  status: "COMPLETE" as const,
  isCompliant: true,
  ...more,
});
const missing = { status: "MISSING" as const, isCompliant: null, attestationId: null };

test("what weighs most comes first, and of that what is asked for", () => {
  const { parts, counts } = checklistOf({
    status: "NON-COMPLIANT",
    attestationsStatuses: [
      slot("extra", { unexpected: true }),
      slot("fine"),
      slot("overridden", { overriddenAttestationId: "before" }),
      slot("not there", missing),
      slot("bad extra", { isCompliant: false, unexpected: true }),
      slot("bad", { isCompliant: false }),
    ],
  });
  expect(parts.map(({ slots }) => slots.map(({ name, state }) => `${name}: ${state}`))).toEqual([
    [
      ...["bad: failing", "bad extra: failing", "not there: missing"],
      ...["overridden: overridden", "fine: passing", "extra: passing"],
    ],
  ]);
  expect(counts).toEqual({ asked: 4, present: 3, failing: 2 });
  expect(countsText(counts)).toBe("3 of 4 that are asked for are present, 2 attestations are failing");
});

test("an override to non-compliant is failing, and says what it overrides", () => {
  const { parts } = checklistOf({
    status: "NON-COMPLIANT",
    attestationsStatuses: [slot("unit", { isCompliant: false, overriddenAttestationId: "before" })],
  });
  expect(parts[0]?.slots[0]).toMatchObject({ state: "failing", overriddenId: "before" });
});

test("artifacts have parts of their own, also those that were not reported", () => {
  const { parts, counts } = checklistOf({
    status: "INCOMPLETE",
    artifactsStatuses: {
      web: { status: "MISSING", attestationsStatuses: [slot("unit", missing)] },
      extra: { status: "COMPLIANT", artifactFingerprint: "f", unexpected: true },
    },
  });
  expect(parts.map(({ artifact }) => artifact)).toEqual([
    { name: "web", fingerprint: undefined, isUnexpected: false },
    { name: "extra", fingerprint: "f", isUnexpected: true },
  ]);
  expect(countsText(counts)).toBe("0 of 1 that are asked for are present");
  expect(countsText({ asked: 0, present: 0, failing: 1 })).toBe(
    "Nothing is asked for, 1 attestation is failing",
  );
});
