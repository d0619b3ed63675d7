import type { ArtifactFact, AttestationFact } from "../../../../src/service/judging/compliance/evaluate.ts";

let sequence = 0;

/** An artifact `web` of commit `c1` whose fingerprint repeats its letter; each later one has a higher number. */
export function artifact(more: Partial<ArtifactFact> = {}): ArtifactFact {
  sequence++;
  return {
    sequence,
    id: `artifact-${sequence}`,
    fingerprint: "a",
    filename: "web:1",
    templateName: "web",
    commitSha: "c1",
    declaredCompliant: null,
    ...more,
  };
}

/** A compliant generic attestation about the trail; each later one has a higher number. */
export function attestation(name: string, more: Partial<AttestationFact> = {}): AttestationFact {
  sequence++;
  return {
    sequence,
    id: `attestation-${sequence}`,
    name,
    type: "generic",
    compliant: true,
    fingerprint: null,
    targets: [],
    commitSha: null,
    ...more,
  };
}
