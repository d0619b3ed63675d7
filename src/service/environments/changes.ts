import { artifactKey } from "../policies/evaluate-environment.ts";

/** An artifact in a snapshot, as far as it matters for what changed. */
export interface ArtifactState {
  name: string;
  /** Empty when it is not known what runs. */
  fingerprint: string;
  /** What tells its instances apart, in no particular order. */
  instances: readonly string[];
  compliant: boolean | null;
  /** Equal for equal provenance. */
  provenance: string;
}

export type ChangeType =
  | "started-compliant"
  | "started-non-compliant"
  | "exited"
  | "scaled"
  | "updated-provenance"
  | "changed";

/** What changed about an artifact from one snapshot to the next. What did not change has none. */
export interface Change {
  name: string;
  fingerprint: string;
  type: ChangeType;
  was: number;
  now: number;
}

/** What changed between two snapshots, in the order of the later one, then what stopped running. */
export function changesBetween<T extends ArtifactState>(before: readonly T[], after: readonly T[]): Change[] {
  const previous = new Map(before.map((artifact) => [artifactKey(artifact), artifact]));
  const changes: Change[] = [];
  for (const artifact of after) {
    const key = artifactKey(artifact);
    const earlier = previous.get(key);
    previous.delete(key);
    const type = changeOf(earlier, artifact);
    if (type)
      changes.push(asChange(artifact, type, earlier?.instances.length ?? 0, artifact.instances.length));
  }
  for (const gone of previous.values()) changes.push(asChange(gone, "exited", gone.instances.length, 0));
  return changes;
}

function changeOf(before: ArtifactState | undefined, after: ArtifactState): ChangeType | undefined {
  // Without policies nothing says that it may run, as the snapshot says of itself.
  if (!before) return after.compliant ? "started-compliant" : "started-non-compliant";
  if (before.instances.length !== after.instances.length) return "scaled";
  if (before.provenance !== after.provenance) return "updated-provenance";
  if (before.compliant !== after.compliant) return "changed";
  const known = new Set(before.instances);
  return after.instances.every((instance) => known.has(instance)) ? undefined : "changed";
}

function asChange({ name, fingerprint }: ArtifactState, type: ChangeType, was: number, now: number): Change {
  return { name, fingerprint, type, was, now };
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
