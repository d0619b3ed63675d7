import { type ArtifactFact, type AttestationFact, isAbout } from "./evaluate.ts";
import type { SlotRule, Template } from "./template.ts";

export interface Subject {
  name: string;
  fingerprint: string | null;
  /** Template names of artifacts, at the commit. */
  targets: readonly string[];
  commitSha: string | null;
}

/**
 * The latest attestation of the name about the same artifact or the trail. Fingerprint and template name with commit
 * match each other.
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

/** The template slot with the subject's name, attested or not. */
export function slotToOverride(
  { template, artifacts }: { template: Template; artifacts: readonly ArtifactFact[] },
  subject: Subject,
): SlotRule | undefined {
  if (isAboutTrail(subject)) return template.attestations.find(({ name }) => name === subject.name);
  const meant = artifacts.filter((artifact) => isMeant(artifact, subject));
  // The report of a fingerprint has its template name.
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

/** An unreported artifact has only target references. */
function isAboutSameTargets(attestation: AttestationFact, subject: Subject): boolean {
  return (
    subject.fingerprint === null &&
    attestation.fingerprint === null &&
    attestation.commitSha === subject.commitSha &&
    attestation.targets.some((target) => subject.targets.includes(target))
  );
}
