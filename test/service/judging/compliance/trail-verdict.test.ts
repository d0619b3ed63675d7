import { describe, expect, it } from "vitest";
import { EMPTY_TEMPLATE, type Template } from "../../../../src/service/judging/compliance/template.ts";
import { verdictOfNewTrail, verdictsOf } from "../../../../src/service/judging/compliance/trail-verdict.ts";
import { artifact, attestation } from "./facts.ts";

const template: Template = {
  attestations: [],
  artifacts: [{ name: "web", attestations: [{ name: "unit", type: "generic" }] }],
};

describe("a new trail", () => {
  it("is compliant when nothing is required", () => {
    expect(verdictOfNewTrail(EMPTY_TEMPLATE)).toEqual({ state: "COMPLIANT", reason: null });
  });

  it("is incomplete when something is required, and the reason says what is missing", () => {
    expect(verdictOfNewTrail(template)).toEqual({
      state: "INCOMPLETE",
      reason: "missing: 'web', 'web.unit'",
    });
  });
});

it("reports the state of a trail and of each artifact, in the given order, with the reason", () => {
  const rejected = artifact({ fingerprint: "b", declaredCompliant: false });
  const unproven = artifact({ fingerprint: "c" });
  // The latest of its name decides.
  const fine = artifact();
  const attestations = ["a", "b"].map((fingerprint) => attestation("unit", { fingerprint }));
  expect(verdictsOf({ template, artifacts: [fine, rejected, unproven], attestations })).toEqual({
    trail: { state: "COMPLIANT", reason: null },
    artifacts: [
      { state: "COMPLIANT", reason: null },
      { state: "NON-COMPLIANT", reason: "reported as non-compliant" },
      { state: "INCOMPLETE", reason: "missing: 'unit'" },
    ],
  });
});
