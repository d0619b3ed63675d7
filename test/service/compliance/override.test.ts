import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attestationToOverride } from "../../../src/service/compliance/override.ts";
import { artifact, attestation } from "./facts.ts";

const TRAIL = { fingerprint: null, targets: [], commitSha: null };

describe("the attestation that an override is of", () => {
  it("is the latest of its name, in whatever order they are read", () => {
    const made = [attestation("lint"), attestation("unit"), attestation("unit"), attestation("lint")];
    fc.assert(
      fc.property(fc.shuffledSubarray(made, { minLength: made.length }), (attestations) => {
        const found = attestationToOverride({ attestations, artifacts: [] }, { ...TRAIL, name: "unit" });
        expect(found).toBe(made[2]);
      }),
    );
  });

  it("is about the trail when the override is, and about the artifact when the override is", () => {
    const ofTrail = attestation("unit");
    const ofArtifact = attestation("unit", { fingerprint: "a" });
    const facts = { attestations: [ofTrail, ofArtifact], artifacts: [artifact()] };
    expect(attestationToOverride(facts, { ...TRAIL, name: "unit" })).toBe(ofTrail);
    expect(attestationToOverride(facts, { ...TRAIL, name: "unit", fingerprint: "a" })).toBe(ofArtifact);
    expect(attestationToOverride(facts, { ...TRAIL, name: "unit", fingerprint: "b" })).toBeUndefined();
  });

  it("is not of another commit or another artifact", () => {
    const claim = attestation("unit", { targets: ["web"], commitSha: "c1" });
    const facts = { attestations: [claim], artifacts: [] };
    const asked = (targets: string[], commitSha: string | null) =>
      attestationToOverride(facts, { name: "unit", fingerprint: null, targets, commitSha });
    expect(asked(["web"], "c1")).toBe(claim);
    expect(asked(["api"], "c1")).toBeUndefined();
    expect(asked(["web"], "c2")).toBeUndefined();
  });
});
