import { type ArtifactFact, type AttestationFact, isAbout } from "./evaluate.ts";
import type { SlotRule, Template } from "./template.ts";

/** What an attestation is about, as its sender says it. */
export interface Subject {
  name: string;
  fingerprint: string | null;
  /** Artifacts by their names in the template, at the commit. */
  targets: readonly string[];
  commitSha: string | null;
}

/**
 * The attestation that an override is of: the latest of that name about the same artifact, or about the trail. One
 * that was recorded by fingerprint is found by the artifact's name and commit as well, and the other way round.
 */
export function attestationToOverride(
  facts: { attestations: readonly AttestationFact[]; artifacts: readonly ArtifactFact[] },
  subject: Subject,
): AttestationFact | undefined {
  const meant = facts.artifacts.filter((artifact) => isMeant(artifact, subject));
  const isAboutSubject = (attestation: AttestationFact) =>
    isAboutTrail(subject)
      ? isAboutTrail(attestation)
      : isAboutSameTargets(attestation, subject) || meant.some((artifact) => isAbout(attestation, artifact));
  return facts.attestations
    .filter((attestation) => attestation.name === subject.name && isAboutSubject(attestation))
    .reduce<AttestationFact | undefined>(
      (latest, each) => (latest && latest.sequence > each.sequence ? latest : each),
      undefined,
    );
}

/** The slot of a template that attestations of the subject's name are for, whether there are any or not. */
export function slotToOverride(
  { template, artifacts }: { template: Template; artifacts: readonly ArtifactFact[] },
  subject: Subject,
): SlotRule | undefined {
  if (isAboutTrail(subject)) return template.attestations.find(({ name }) => name === subject.name);
  const meant = artifacts.filter((artifact) => isMeant(artifact, subject));
  // An artifact that is named by its fingerprint has its name from its report.
  const names =
    subject.fingerprint === null ? subject.targets : meant.map(({ templateName }) => templateName);
  return template.artifacts
    .filter(({ name }) => names.includes(name))
    .flatMap(({ attestations }) => attestations)
    .find(({ name }) => name === subject.name);
}

function isMeant(artifact: ArtifactFact, { fingerprint, targets, commitSha }: Subject): boolean {
  if (fingerprint !== null) return artifact.fingerprint === fingerprint;
  return (
    targets.some((target) => target === artifact.templateName) &&
    commitSha !== null &&
    artifact.commitSha === commitSha
  );
}

function isAboutTrail({ fingerprint, targets }: Pick<Subject, "fingerprint" | "targets">): boolean {
  return fingerprint === null && targets.length === 0;
}

/** Of an artifact that is not reported yet there are only target references. */
function isAboutSameTargets(attestation: AttestationFact, subject: Subject): boolean {
  return (
    subject.fingerprint === null &&
    attestation.fingerprint === null &&
    attestation.commitSha === subject.commitSha &&
    attestation.targets.some((target) => subject.targets.includes(target))
  );
}
