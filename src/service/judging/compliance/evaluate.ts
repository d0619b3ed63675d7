import { isOfType } from "../../../api/resources/attestation-type.ts";
import type { SlotRule, Template } from "./template.ts";

/**
 * Evaluates whether a trail and its artifacts meet their template, in pure functions. Only the sequence numbers of records
 * matter, not their order.
 */

export interface ArtifactFact {
  sequence: number;
  id: string;
  fingerprint: string;
  filename: string;
  templateName: string | null;
  commitSha: string | null;
  declaredCompliant: boolean | null;
}

export interface AttestationFact {
  /** Later records have higher numbers. */
  sequence: number;
  id: string;
  name: string;
  type: string;
  compliant: boolean;
  /** Null for the trail, or with `targets`. */
  fingerprint: string | null;
  /** Without a fingerprint, the template names of artifacts at the commit. */
  targets: readonly string[];
  commitSha: string | null;
  /** The attestation that an override replaces. */
  overriddenId?: string | null;
}

export interface AttestationStatus {
  attestationName: string;
  attestationType: string;
  attestationId: string | null;
  overriddenAttestationId: string | null;
  status: "MISSING" | "COMPLETE";
  /** Null while missing. */
  isCompliant: boolean | null;
  unexpected: boolean;
}

export type ComplianceStatus = "INCOMPLETE" | "COMPLIANT" | "NON-COMPLIANT";

export interface ArtifactStatus {
  artifactFingerprint: string | null;
  artifactId: string | null;
  /** `MISSING`: the template requires an artifact that was not reported. */
  status: ComplianceStatus | "MISSING";
  isCompliant: boolean;
  attestationsStatuses: AttestationStatus[];
  unexpected: boolean;
}

export interface ReportedArtifactStatus extends ArtifactStatus {
  status: ComplianceStatus;
}

export interface TrailStatus {
  status: ComplianceStatus;
  isCompliant: boolean;
  attestationsStatuses: AttestationStatus[];
  /** By template name, or by file name if there is none. */
  artifactsStatuses: Record<string, ArtifactStatus>;
}

export interface TemplateAndAttestations {
  template: Template;
  attestations: readonly AttestationFact[];
}

export interface TrailFacts extends TemplateAndAttestations {
  artifacts: readonly ArtifactFact[];
}

/** Covers its own attestations and the latest artifact of each name. */
export function evaluateTrail(facts: TrailFacts): TrailStatus {
  return trailStatus(facts, bySubject(facts));
}

/**
 * Evaluates one artifact. It is compliant if all required attestations of artifact and trail exist and none fails. The
 * result has all attestations of the artifact, followed by the missing and failing ones of the trail.
 */
export function evaluateArtifact(
  facts: TemplateAndAttestations,
  artifact: ArtifactFact,
): ReportedArtifactStatus {
  return artifactStatus(artifact, bySubject(facts));
}

/** The status of a trail and of each reported artifact, in the given order. */
export function evaluateAll(facts: TrailFacts): {
  trail: TrailStatus;
  artifacts: ReportedArtifactStatus[];
} {
  const made = bySubject(facts);
  return {
    trail: trailStatus(facts, made),
    artifacts: facts.artifacts.map((artifact) => artifactStatus(artifact, made)),
  };
}

/** Attestations indexed by subject, so that no artifact scans all of them. */
interface AttestationsBySubject {
  template: Template;
  trailLevel: readonly AttestationStatus[];
  byFingerprint: ReadonlyMap<string | null, readonly AttestationFact[]>;
  byName: ReadonlyMap<string, readonly AttestationFact[]>;
}

function bySubject({ template, attestations }: TemplateAndAttestations): AttestationsBySubject {
  const byFingerprint = Map.groupBy(attestations, ({ fingerprint }) => fingerprint);
  const withoutFingerprint = byFingerprint.get(null) ?? [];
  const byName = new Map<string, AttestationFact[]>();
  for (const attestation of withoutFingerprint) {
    for (const target of new Set(attestation.targets)) {
      const known = byName.get(target);
      if (known) known.push(attestation);
      else byName.set(target, [attestation]);
    }
  }
  const ofTrail = withoutFingerprint.filter(({ targets }) => targets.length === 0);
  return { template, trailLevel: slotStatuses(template.attestations, ofTrail), byFingerprint, byName };
}

function trailStatus({ artifacts: reports }: TrailFacts, made: AttestationsBySubject): TrailStatus {
  const { template, trailLevel, byName } = made;
  const artifacts = new Map<string, ArtifactStatus>();
  for (const { name } of template.artifacts) artifacts.set(name, unreportedStatus(name, made));
  for (const name of byName.keys()) artifacts.set(name, unreportedStatus(name, made));
  for (const [name, artifact] of latestBy(reports, nameOf))
    artifacts.set(name, reportedStatus(artifact, made));

  const status = worst([
    statusFrom(trailLevel),
    ...[...artifacts.values()].flatMap((entry) => [
      statusFrom(entry.attestationsStatuses),
      entry.status === "MISSING" ? "INCOMPLETE" : entry.status,
    ]),
  ]);
  return {
    status,
    isCompliant: status === "COMPLIANT",
    attestationsStatuses: [...trailLevel],
    artifactsStatuses: Object.fromEntries([...artifacts].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function artifactStatus(artifact: ArtifactFact, made: AttestationsBySubject): ReportedArtifactStatus {
  const own = reportedStatus(artifact, made);
  const trailLevel = made.trailLevel.filter(({ isCompliant }) => isCompliant !== true);
  const attestationsStatuses = [...own.attestationsStatuses, ...trailLevel];
  const status = worst([own.status, statusFrom(trailLevel)]);
  return { ...own, attestationsStatuses, status, isCompliant: status === "COMPLIANT" };
}

/** Whether an attestation names an artifact by fingerprint, or by template name and commit. */
export function isAbout(attestation: AttestationFact, artifact: ArtifactFact): boolean {
  if (attestation.fingerprint !== null) return attestation.fingerprint === artifact.fingerprint;
  return (
    attestation.targets.some((target) => target === artifact.templateName) &&
    attestation.commitSha !== null &&
    attestation.commitSha === artifact.commitSha
  );
}

function reportedStatus(artifact: ArtifactFact, made: AttestationsBySubject): ReportedArtifactStatus {
  const rule = ruleFor(made.template, nameOf(artifact));
  const named = made.byName.get(artifact.templateName ?? "") ?? [];
  const statuses = slotStatuses(rule?.attestations ?? [], [
    ...(made.byFingerprint.get(artifact.fingerprint) ?? []),
    ...named.filter((attestation) => isAbout(attestation, artifact)),
  ]);
  const status = artifact.declaredCompliant === false ? "NON-COMPLIANT" : statusFrom(statuses);
  return {
    artifactFingerprint: artifact.fingerprint,
    artifactId: artifact.id,
    status,
    isCompliant: status === "COMPLIANT",
    attestationsStatuses: statuses,
    unexpected: rule === undefined,
  };
}

/** An artifact that is required or attested but not reported. */
function unreportedStatus(name: string, { template, byName }: AttestationsBySubject): ArtifactStatus {
  const rule = ruleFor(template, name);
  const statuses = slotStatuses(rule?.attestations ?? [], byName.get(name) ?? []);
  // Without a rule, nothing is missing and only its attestations count.
  const status = rule ? "MISSING" : statusFrom(statuses);
  return {
    artifactFingerprint: null,
    artifactId: null,
    status,
    isCompliant: status === "COMPLIANT",
    attestationsStatuses: statuses,
    unexpected: rule === undefined,
  };
}

function ruleFor(template: Template, artifact: string) {
  return template.artifacts.find(({ name }) => name === artifact);
}

function nameOf({ templateName, filename }: ArtifactFact): string {
  return templateName ?? filename;
}

/** Slots of the template in its order, then unexpected ones by name. */
function slotStatuses(
  rules: readonly SlotRule[],
  attestations: readonly AttestationFact[],
): AttestationStatus[] {
  const byName = Map.groupBy(attestations, ({ name }) => name);
  const slots = rules.map((rule) => {
    const meeting = (byName.get(rule.name) ?? []).filter(({ type }) => isOfType(type, rule.type));
    return { rule, meeting };
  });
  const expected = new Set(slots.flatMap(({ meeting }) => meeting));
  const extras = latestBy(
    attestations.filter((attestation) => !expected.has(attestation)),
    ({ name }) => name,
  );
  return [
    ...slots.map(({ rule, meeting }) => {
      const latest = latestOf(meeting);
      return latest ? completeStatus(latest, false) : missingStatus(rule);
    }),
    ...[...extras.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((attestation) => completeStatus(attestation, true)),
  ];
}

function completeStatus(
  { name, type, id, compliant, overriddenId = null }: AttestationFact,
  unexpected: boolean,
): AttestationStatus {
  return {
    attestationName: name,
    attestationType: type,
    attestationId: id,
    overriddenAttestationId: overriddenId,
    status: "COMPLETE",
    isCompliant: compliant,
    unexpected,
  };
}

function missingStatus({ name, type }: SlotRule): AttestationStatus {
  return {
    attestationName: name,
    attestationType: type,
    attestationId: null,
    overriddenAttestationId: null,
    status: "MISSING",
    isCompliant: null,
    unexpected: false,
  };
}

function statusFrom(statuses: readonly AttestationStatus[]): ComplianceStatus {
  if (statuses.some(({ isCompliant }) => isCompliant === false)) return "NON-COMPLIANT";
  if (statuses.some(({ status }) => status === "MISSING")) return "INCOMPLETE";
  return "COMPLIANT";
}

/** The worst status: a failure is worse than a missing attestation. */
function worst(statuses: readonly ComplianceStatus[]): ComplianceStatus {
  if (statuses.includes("NON-COMPLIANT")) return "NON-COMPLIANT";
  return statuses.includes("INCOMPLETE") ? "INCOMPLETE" : "COMPLIANT";
}

function latestBy<T extends { sequence: number }>(facts: readonly T[], keyOf: (fact: T) => string) {
  const latest = new Map<string, T>();
  for (const fact of facts) {
    const known = latest.get(keyOf(fact));
    if (!known || fact.sequence > known.sequence) latest.set(keyOf(fact), fact);
  }
  return latest;
}

function latestOf<T extends { sequence: number }>(facts: readonly T[]): T | undefined {
  return facts.reduce<T | undefined>(
    (latest, fact) => (latest && latest.sequence > fact.sequence ? latest : fact),
    undefined,
  );
}
