import { describe, expect, it } from "vitest";
import {
  type ArtifactFact,
  type AttestationFact,
  evaluateArtifact,
  evaluateTrail,
} from "../../../../src/service/judging/compliance/evaluate.ts";
import { reasonOfArtifact, reasonOfTrail } from "../../../../src/service/judging/compliance/reason.ts";
import { EMPTY_TEMPLATE, type Template } from "../../../../src/service/judging/compliance/template.ts";
import { artifact, attestation } from "./facts.ts";

const slot = (name: string) => ({ name, type: "generic" });
/** Requires `lint` of the trail and `unit` of the artifact `web`. */
const template: Template = {
  attestations: [slot("lint")],
  artifacts: [{ name: "web", attestations: [slot("unit")] }],
};
const web = artifact();
const rejectedWeb = artifact({ declaredCompliant: false });
const lint = (compliant = true) => attestation("lint", { compliant });
const unit = (compliant = true) => attestation("unit", { compliant, fingerprint: "a" });

describe("the reason stored with an artifact", () => {
  const read = (about: ArtifactFact, attestations: AttestationFact[]) =>
    reasonOfArtifact(evaluateArtifact({ template, attestations }, about));

  it.each<[string, ArtifactFact, AttestationFact[], string | null]>([
    ["everything is present and compliant", web, [lint(), unit()], null],
    ["its attestation is missing", web, [lint()], "missing: 'unit'"],
    ["its attestation fails", web, [lint(), unit(false)], "non-compliant: 'unit'"],
    ["the trail's attestation is missing", web, [unit()], "missing: 'lint'"],
    ["one fails and one is missing", web, [lint(false)], "non-compliant: 'lint'; missing: 'unit'"],
    ["only its report says so", rejectedWeb, [lint(), unit()], "reported as non-compliant"],
    [
      "its report says so, and more is missing",
      rejectedWeb,
      [lint()],
      "reported as non-compliant; missing: 'unit'",
    ],
    ["its report says so and why", rejectedWeb, [lint(), unit(false)], "non-compliant: 'unit'"],
  ])("when %s", (_, about, attestations, reason) => {
    expect(read(about, attestations)).toBe(reason);
  });
});

describe("the reason stored with a trail", () => {
  const read = (artifacts: ArtifactFact[], attestations: AttestationFact[], required = template) =>
    reasonOfTrail(evaluateTrail({ template: required, artifacts, attestations }));

  it.each<[string, ArtifactFact[], AttestationFact[], string | null]>([
    ["everything is present and compliant", [web], [lint(), unit()], null],
    ["nothing was recorded", [], [], "missing: 'web', 'lint', 'web.unit'"],
    ["its attestation is missing", [web], [unit()], "missing: 'lint'"],
    ["its attestation fails", [web], [lint(false), unit()], "non-compliant: 'lint'"],
    ["the artifact's attestation is missing", [web], [lint()], "missing: 'web.unit'"],
    ["the artifact's attestation fails", [web], [lint(), unit(false)], "non-compliant: 'web.unit'"],
    [
      "one of the artifact's attestations fails",
      [web],
      [lint(), unit(false), attestation("scan", { fingerprint: "a" })],
      "non-compliant: 'web.unit'",
    ],
    ["only the artifact's report says so", [rejectedWeb], [lint(), unit()], "non-compliant: 'web'"],
    [
      "the artifact's report says so and why",
      [rejectedWeb],
      [lint(), unit(false)],
      "non-compliant: 'web.unit'",
    ],
    [
      "the trail's attestation fails and the artifact's report says so",
      [rejectedWeb],
      [lint(false), unit()],
      "non-compliant: 'lint', 'web'",
    ],
    [
      "one fails before the artifact is reported",
      [],
      [lint(false)],
      "non-compliant: 'lint'; missing: 'web', 'web.unit'",
    ],
  ])("when %s", (_, artifacts, attestations, reason) => {
    expect(read(artifacts, attestations)).toBe(reason);
  });

  it("names a failure that the template does not require", () => {
    const failing = attestation("extra", { compliant: false });
    expect(read([], [failing], EMPTY_TEMPLATE)).toBe("non-compliant: 'extra'");
  });

  it.each([
    [10, "missing: 's1', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9', 's10'"],
    [11, "missing: 's1', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9', 's10' and 1 more"],
    [15, "missing: 's1', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9', 's10' and 5 more"],
  ])("with %i gaps names ten and counts the rest", (count, reason) => {
    const attestations = Array.from({ length: count }, (_, i) => slot(`s${i + 1}`));
    expect(read([], [], { attestations, artifacts: [] })).toBe(reason);
  });
});
