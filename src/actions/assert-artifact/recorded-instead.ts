import { isEvidenceError } from "../../api/client/errors.ts";
import { nearest } from "../../api/nearest.ts";
import { flowsOf, type InsteadOf, isMissing, type Slot } from "../../api/resources/assert-failures.ts";
import type { Assertion } from "../../api/resources/asserts.ts";
import { isOfType } from "../../api/resources/attestation-type.ts";
import { nameOfSlot } from "../../api/resources/template-match.ts";
import { namesInTrail, type ReadTrail, type Trail } from "../trail-template.ts";

/**
 * For each missing attestation, finds a record that may have been meant for it. If a trail cannot be read, only the
 * hint is missing.
 */
export async function recordedInstead(assertion: Assertion, readTrail: ReadTrail): Promise<InsteadOf> {
  const extras = new Map<string, readonly Extra[]>();
  for (const { flow, trail, complianceStatus } of flowsOf(assertion)) {
    if (!flow || !trail || !complianceStatus?.attestationsStatuses?.some(isMissing)) continue;
    const read = await readTrail({ flow, trail }).catch(ignored);
    if (read) extras.set(keyOf(flow, trail), extrasOf(read, assertion.fingerprint));
  }
  return ({ flow, trail }, slot) => likeliest(slot, extras.get(keyOf(flow, trail)) ?? []);
}

function ignored(error: unknown): undefined {
  if (!isEvidenceError(error)) throw error;
}

function keyOf(flow: string | null | undefined, trail: string | null | undefined): string {
  return JSON.stringify([flow, trail]);
}

interface Extra {
  readonly artifact: string | undefined;
  readonly attestation: string;
  readonly type: string;
}

/** Records that are not in the template, those about the artifact first. */
function extrasOf(trail: Trail, fingerprint: string): Extra[] {
  const { attestationsStatuses, artifactsStatuses = {} } = trail.complianceStatus;
  const own = new Set(namesInTrail(trail, fingerprint));
  const byArtifact = Object.entries(artifactsStatuses).map(([artifact, status]) => ({
    isOwn: own.has(artifact),
    extras: extrasAmong(status.attestationsStatuses, artifact),
  }));
  return [
    ...byArtifact.flatMap(({ isOwn, extras }) => (isOwn ? extras : [])),
    ...extrasAmong(attestationsStatuses, undefined),
    ...byArtifact.flatMap(({ isOwn, extras }) => (isOwn ? [] : extras)),
  ];
}

function extrasAmong(statuses: readonly Slot[] | undefined, artifact: string | undefined): Extra[] {
  return (statuses ?? [])
    .filter(({ status, unexpected }) => status !== "MISSING" && unexpected === true)
    .map(({ attestationName, attestationType }) => ({
      artifact,
      attestation: attestationName,
      type: attestationType ?? "",
    }));
}

/** A record with the same name but another type or subject, or with the same type and a similar name. */
function likeliest({ attestationName, attestationType }: Slot, extras: readonly Extra[]): string | undefined {
  const ofType = extras.filter(({ type }) => isOfType(type, attestationType ?? "*"));
  const [near] = nearest(
    attestationName,
    ofType.map(({ attestation }) => attestation),
  );
  const found =
    extras.find(({ attestation }) => attestation === attestationName) ??
    ofType.find(({ attestation }) => attestation === near);
  return found && `'${nameOfSlot(found)}'${found.type === "" ? "" : ` (${found.type})`}`;
}
