import { describe, expect, it } from "vitest";
import { EMPTY_TEMPLATE, type Template } from "../../../../src/service/judging/compliance/template.ts";
import { verdictOfNewTrail, verdictsOf } from "../../../../src/service/judging/compliance/trail-verdict.ts";
import { artifact, attestation } from "./facts.ts";

const template: Template = {
  attestations: [],
  artifacts: [{ name: "web", attestations: [{ name: "unit", type: "generic" }] }],
};

describe("a new trail", () => {
  it("is compliant when nothing is asked for", () => {
    expect(verdictOfNewTrail(EMPTY_TEMPLATE)).toEqual({ state: "COMPLIANT", reason: null });
  });

  it("is incomplete when something is asked for, and says what is missing", () => {
    expect(verdictOfNewTrail(template)).toEqual({
      state: "INCOMPLETE",
      reason: "missing: 'web', 'web.unit'",
    });
  });
});

it("a trail and each of its artifacts, in the order given, has its state and the reason for it", () => {
  const rejected = artifact({ fingerprint: "b", declaredCompliant: false });
  const unproven = artifact({ fingerprint: "c" });
  // The latest of its name: the trail goes by it.
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
