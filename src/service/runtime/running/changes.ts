export interface ArtifactState {
  /** Names of its instances, in any order. */
  instances: readonly string[];
  compliant: boolean | null;
  /** Equal for equal provenance. */
  origins: string;
}

export type ChangeType =
  | "started-compliant"
  | "started-non-compliant"
  | "exited"
  | "scaled"
  | "updated-provenance"
  | "changed";

/** The event type of a change since the previous snapshot; null for none. */
export function changeOf(
  before: ArtifactState | undefined,
  after: ArtifactState,
): Exclude<ChangeType, "exited"> | null {
  // `compliant` is null without policies. Nothing allowed the artifact then, so it counts as non-compliant.
  if (!before) return after.compliant ? "started-compliant" : "started-non-compliant";
  if (before.instances.length !== after.instances.length) return "scaled";
  if (before.origins !== after.origins) return "updated-provenance";
  if (before.compliant !== after.compliant) return "changed";
  const known = new Set(before.instances);
  return after.instances.every((instance) => known.has(instance)) ? null : "changed";
}

/** Such as `2 instances started running (from 0 to 2)`. */
export function describeChange(type: string, was: number, now: number): string {
  if (now > was) return `${instances(now - was)} started running (from ${was} to ${now})`;
  if (now < was) return `${instances(was - now)} stopped running (from ${was} to ${now})`;
  return type === "updated-provenance"
    ? `provenance of ${instances(now)} updated`
    : `${instances(now)} changed`;
}

function instances(count: number): string {
  return count === 1 ? "1 instance" : `${count} instances`;
}
