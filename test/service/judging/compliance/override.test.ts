import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  attestationToOverride,
  type Subject,
  slotToOverride,
} from "../../../../src/service/judging/compliance/override.ts";
import { artifact, attestation } from "./facts.ts";

const TRAIL = { fingerprint: null, targets: [], commitSha: null };

describe("the attestation that an override replaces", () => {
  it("is the latest of its name, in whatever order they are read", () => {
    const recorded = [attestation("lint"), attestation("unit"), attestation("unit"), attestation("lint")];
    fc.assert(
      fc.property(fc.shuffledSubarray(recorded, { minLength: recorded.length }), (attestations) => {
        const found = attestationToOverride({ attestations, artifacts: [] }, { ...TRAIL, name: "unit" });
        expect(found).toBe(recorded[2]);
      }),
    );
  });

  it("is about the trail when the override is, and about the artifact when the override is", () => {
    const ofTrail = attestation("unit");
    const ofArtifact = attestation("unit", { fingerprint: "a" });
    const artifacts = [artifact(), artifact({ fingerprint: "b" })];
    const facts = { attestations: [ofTrail, ofArtifact], artifacts };
    expect(attestationToOverride(facts, { ...TRAIL, name: "unit" })).toBe(ofTrail);
    expect(attestationToOverride(facts, { ...TRAIL, name: "unit", fingerprint: "a" })).toBe(ofArtifact);
    expect(attestationToOverride(facts, { ...TRAIL, name: "unit", fingerprint: "b" })).toBeUndefined();
  });

  it("is not of another commit or another artifact", () => {
    const reference = attestation("unit", { targets: ["web"], commitSha: "c1" });
    const facts = { attestations: [reference], artifacts: [] };
    const requested = (targets: string[], commitSha: string | null) =>
      attestationToOverride(facts, { name: "unit", fingerprint: null, targets, commitSha });
    expect(requested(["web"], "c1")).toBe(reference);
    expect(requested(["api"], "c1")).toBeUndefined();
    expect(requested(["web"], "c2")).toBeUndefined();
  });

  it.each<[string, Partial<Parameters<typeof artifact>[0]>, Partial<Subject>, boolean]>([
    ["its artifact's name and commit", {}, { targets: ["api", "web"], commitSha: "c1" }, true],
    ["another commit", {}, { targets: ["web"], commitSha: "c2" }, false],
    ["another name", {}, { targets: ["api"], commitSha: "c1" }, false],
    ["an artifact without a name", { templateName: null }, { targets: ["web"], commitSha: "c1" }, false],
    [
      "no commit, as the artifact has none",
      { commitSha: null },
      { targets: ["web"], commitSha: null },
      false,
    ],
    ["nothing but the trail", {}, {}, false],
  ])("overridden by fingerprint is found by %s: %#", (_, more, subject, isFound) => {
    const recorded = attestation("unit", { fingerprint: "a" });
    const facts = { attestations: [recorded], artifacts: [artifact(more)] };
    expect(attestationToOverride(facts, { ...TRAIL, name: "unit", ...subject })).toBe(
      isFound ? recorded : undefined,
    );
  });

  it("of a named artifact is found by the artifact's fingerprint, and is not about the trail", () => {
    const recorded = attestation("unit", { targets: ["web"], commitSha: "c1" });
    const facts = {
      attestations: [recorded],
      artifacts: [
        artifact(),
        artifact({ fingerprint: "b", commitSha: "c2" }),
        artifact({ fingerprint: "c", templateName: "api" }),
      ],
    };
    const requested = (fingerprint: string | null) =>
      attestationToOverride(facts, { ...TRAIL, name: "unit", fingerprint });
    expect([requested("a"), requested("b"), requested("c"), requested(null)]).toEqual([
      recorded,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("belongs to every artifact that it names", () => {
    const recorded = attestation("unit", { targets: ["web", "api"], commitSha: "c1" });
    const subject = { name: "unit", fingerprint: null, targets: ["api", "ghost"], commitSha: "c1" };
    expect(attestationToOverride({ attestations: [recorded], artifacts: [] }, subject)).toBe(recorded);
  });

  it("of a named artifact is not found by another fingerprint, whatever else is named", () => {
    const recorded = attestation("unit", { targets: ["web"], commitSha: "c1" });
    const subject = { name: "unit", fingerprint: "b", targets: ["web"], commitSha: "c1" };
    expect(attestationToOverride({ attestations: [recorded], artifacts: [] }, subject)).toBeUndefined();
  });

  it("overridden by fingerprint is not a target reference of the same commit", () => {
    const recorded = attestation("unit", { fingerprint: "z", targets: ["web"], commitSha: "c1" });
    const subject = { name: "unit", fingerprint: null, targets: ["web"], commitSha: "c1" };
    expect(attestationToOverride({ attestations: [recorded], artifacts: [] }, subject)).toBeUndefined();
  });
});

describe("the slot that an override fills", () => {
  const slot = (name: string, type: string) => ({ name, type });
  const template = {
    attestations: [slot("lint", "generic"), slot("unit", "*")],
    artifacts: [
      { name: "web", attestations: [slot("scan", "snyk"), slot("unit", "junit")] },
      { name: "api", attestations: [slot("unit", "custom:api")] },
    ],
  };
  const artifacts = [artifact(), artifact({ fingerprint: "b", templateName: "api" })];
  const typeFor = (name: string, subject: Partial<Subject> = {}) =>
    slotToOverride({ template, artifacts }, { ...TRAIL, name, ...subject })?.type;

  it.each<[string, string, Partial<Subject>, string | undefined]>([
    ["of the trail", "unit", {}, "*"],
    ["of the trail, which has no such slot", "scan", {}, undefined],
    ["of the artifact with the fingerprint", "unit", { fingerprint: "b" }, "custom:api"],
    [
      "of the artifact with the fingerprint, whatever else is named",
      "unit",
      { fingerprint: "b", targets: ["web"] },
      "custom:api",
    ],
    ["of the artifact with the name", "unit", { targets: ["api"] }, "custom:api"],
    ["of the first in the template of several artifacts", "unit", { targets: ["api", "web"] }, "junit"],
    ["of no known artifact", "unit", { fingerprint: "z" }, undefined],
    ["of no required artifact", "unit", { targets: ["ghost"] }, undefined],
    ["of the artifact, which has no such slot", "lint", { targets: ["web"] }, undefined],
  ])("is that %s", (_, name, subject, type) => {
    expect(typeFor(name, subject)).toBe(type);
  });
});
