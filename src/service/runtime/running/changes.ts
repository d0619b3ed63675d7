/** An artifact in a snapshot, as far as it matters for what changed. */
export interface ArtifactState {
  /** What tells its instances apart, in no particular order. */
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

/** What changed about an artifact that runs, since the snapshot before. Null when it is no event. */
export function changeOf(
  before: ArtifactState | undefined,
  after: ArtifactState,
): Exclude<ChangeType, "exited"> | null {
  // Without policies nothing says that it may run, as the snapshot says of itself.
  if (!before) return after.compliant ? "started-compliant" : "started-non-compliant";
  if (before.instances.length !== after.instances.length) return "scaled";
  if (before.origins !== after.origins) return "updated-provenance";
  if (before.compliant !== after.compliant) return "changed";
  const known = new Set(before.instances);
  return after.instances.every((instance) => known.has(instance)) ? null : "changed";
}

/** A change in words: `2 instances started running (from 0 to 2)`. */
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
