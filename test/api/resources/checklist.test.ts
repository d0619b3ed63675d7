import { expect, test } from "vitest";
import { checklistOf, countsText, linesOf } from "../../../src/api/resources/checklist.ts";

const slot = (attestationName: string, more: object = {}) => ({
  attestationName,
  attestationType: "generic",
  attestationId: `id-${attestationName}`,
  status: "COMPLETE" as const,
  isCompliant: true,
  ...more,
});
const missing = { status: "MISSING" as const, isCompliant: null, attestationId: null };

test("the most severe items come first, required ones before others", () => {
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
  expect(counts).toEqual({ required: 4, present: 3, failing: 2 });
  expect(countsText(counts)).toBe("3 of 4 present, 2 failing");
});

test("an override to non-compliant fails, and names what it overrides", () => {
  const { parts } = checklistOf({
    status: "NON-COMPLIANT",
    attestationsStatuses: [slot("unit", { isCompliant: false, overriddenAttestationId: "before" })],
  });
  expect(parts[0]?.slots[0]).toMatchObject({ state: "failing", overriddenId: "before" });
});

test("each artifact has its own part, even if it was not reported", () => {
  const { parts, counts } = checklistOf({
    status: "INCOMPLETE",
    artifactsStatuses: {
      web: { status: "MISSING", attestationsStatuses: [slot("unit", missing)] },
      extra: { status: "COMPLIANT", artifactFingerprint: "f", unexpected: true },
    },
  });
  expect(parts.map(({ artifact }) => artifact)).toEqual([
    { name: "web", fingerprint: undefined, state: "missing", isUnexpected: false },
    { name: "extra", fingerprint: "f", state: "passing", isUnexpected: true },
  ]);
  expect(countsText(counts)).toBe("0 of 2 present");
  expect(countsText({ required: 0, present: 0, failing: 1 })).toBe("Nothing is required, 1 failing");
});

test("in one list, artifacts and their attestations are sorted by severity", () => {
  const checklist = checklistOf({
    status: "NON-COMPLIANT",
    attestationsStatuses: [slot("review"), slot("ticket", { ...missing, attestationType: "*" })],
    artifactsStatuses: {
      app: {
        artifactFingerprint: "f",
        status: "NON-COMPLIANT",
        attestationsStatuses: [slot("unit-test", { isCompliant: false }), slot("scan")],
      },
      web: { status: "MISSING", attestationsStatuses: [slot("sbom", missing)] },
    },
  });
  expect(linesOf(checklist).map(({ name, type, state }) => `${state}: ${name} (${type})`)).toEqual([
    "failing: app.unit-test (generic)",
    "missing: ticket (*)",
    "missing: web (artifact)",
    "missing: web.sbom (generic)",
    "passing: review (generic)",
    "passing: app (artifact)",
    "passing: app.scan (generic)",
  ]);
  expect(countsText(checklist.counts)).toBe("4 of 7 present, 1 failing");
});

test.each([
  ["its own report says so", true, ["failing: app", "passing: app.scan"]],
  ["only an attestation fails", false, ["failing: app.scan", "passing: app"]],
])("a non-compliant artifact is listed when %s", (_, isCompliant, lines) => {
  const attestationsStatuses = [slot("scan", { isCompliant })];
  const app = { artifactFingerprint: "f", status: "NON-COMPLIANT" as const, attestationsStatuses };
  const checklist = checklistOf({ status: "NON-COMPLIANT", artifactsStatuses: { app } });
  expect(linesOf(checklist).map(({ name, state }) => `${state}: ${name}`)).toEqual(lines);
});

test("an artifact that only attestations refer to has no line", () => {
  const app = { status: "COMPLIANT" as const, unexpected: true, attestationsStatuses: [slot("scan")] };
  const checklist = checklistOf({ status: "COMPLIANT", artifactsStatuses: { app } });
  expect(linesOf(checklist).map(({ name }) => name)).toEqual(["app.scan"]);
});

test("a failing item that is not required is listed as failing, because it counts", () => {
  const attestationsStatuses = [slot("scan", { isCompliant: false, unexpected: true })];
  const checklist = checklistOf({ status: "NON-COMPLIANT", attestationsStatuses });
  expect(linesOf(checklist)).toMatchObject([{ state: "failing", isUnexpected: true }]);
  expect(countsText(checklist.counts)).toBe("Nothing is required, 1 failing");
});
