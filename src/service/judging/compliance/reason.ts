import type { ArtifactStatus, AttestationStatus, TrailStatus } from "./evaluate.ts";

/** Maximum number of names to list. Others are only counted. */
const MOST_NAMES = 10;

/** Null for a compliant artifact. */
export function reasonOfArtifact({ status, attestationsStatuses }: ArtifactStatus): string | null {
  const isDeclared = status === "NON-COMPLIANT" && !attestationsStatuses.some(fails);
  const reasons = [isDeclared ? "reported as non-compliant" : null, textOf(slots(attestationsStatuses))];
  return reasons.filter((reason) => reason !== null).join("; ") || null;
}

/** Null for a compliant trail. Slots of artifacts read `web.unit`. */
export function reasonOfTrail(status: TrailStatus): string | null {
  return textOf(gapsOfTrail(status));
}

/** One reason per attestation, failing ones first. */
export function reasonsOfTrail(status: TrailStatus): string[] {
  const { failing, missing } = gapsOfTrail(status);
  return [
    ...failing.map((name) => `${name} is non-compliant`),
    ...missing.map((name) => `${name} is missing`),
  ];
}

function gapsOfTrail({ attestationsStatuses, artifactsStatuses }: TrailStatus): Gaps {
  const artifacts = Object.entries(artifactsStatuses);
  const declared = artifacts
    .filter(([, { status, attestationsStatuses: own }]) => status === "NON-COMPLIANT" && !own.some(fails))
    .map(([name]) => `'${name}'`);
  const unreported = artifacts.filter(([, { status }]) => status === "MISSING").map(([name]) => `'${name}'`);
  const ofSlots = [
    slots(attestationsStatuses),
    ...artifacts.map(([name, { attestationsStatuses: own }]) => slots(own, `${name}.`)),
  ];
  return {
    failing: [...ofSlots.flatMap(({ failing }) => failing), ...declared],
    missing: [...unreported, ...ofSlots.flatMap(({ missing }) => missing)],
  };
}

interface Gaps {
  failing: readonly string[];
  missing: readonly string[];
}

function slots(statuses: readonly AttestationStatus[], prefix = ""): Gaps {
  const quoted = ({ attestationName }: AttestationStatus) => `'${prefix}${attestationName}'`;
  return {
    failing: statuses.filter(fails).map(quoted),
    missing: statuses.filter(({ isCompliant }) => isCompliant === null).map(quoted),
  };
}

function fails({ isCompliant }: AttestationStatus): boolean {
  return isCompliant === false;
}

function textOf({ failing, missing }: Gaps): string | null {
  const reasons = [
    ...(failing.length > 0 ? [`non-compliant: ${shortList(failing)}`] : []),
    ...(missing.length > 0 ? [`missing: ${shortList(missing)}`] : []),
  ];
  return reasons.length > 0 ? reasons.join("; ") : null;
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
