import type { DiffArtifact } from "../../../api/resources/snapshots.ts";
import { artifactKey } from "../../kernel/artifact-key.ts";
import type { SnapshotArtifactRecord } from "../../runtime/running/intervals.ts";

export interface SnapshotDiff {
  onlyFirst: DiffArtifact[];
  onlySecond: DiffArtifact[];
  /** In both, with another number of instances. */
  changed: DiffArtifact[];
  unchanged: DiffArtifact[];
}

/** How what ran in one snapshot differs from what ran in another, sorted by name. */
export function diffSnapshots(
  first: readonly SnapshotArtifactRecord[],
  second: readonly SnapshotArtifactRecord[],
): SnapshotDiff {
  const before = together(first);
  const after = together(second);
  const diff: SnapshotDiff = { onlyFirst: [], onlySecond: [], changed: [], unchanged: [] };
  for (const key of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [was, is] = [before.get(key), after.get(key)];
    if (was && is) {
      const counts = { s1InstanceCount: was.instances.length, s2InstanceCount: is.instances.length };
      const list = was.instances.length === is.instances.length ? diff.unchanged : diff.changed;
      list.push({ ...summary(is), ...counts });
    } else if (was) diff.onlyFirst.push(summary(was));
    else if (is) diff.onlySecond.push(summary(is));
  }
  return diff;
}

/** The members of a logical environment may run the same artifact. */
function together(artifacts: readonly SnapshotArtifactRecord[]): Map<string, SnapshotArtifactRecord> {
  const found = new Map<string, SnapshotArtifactRecord>();
  for (const artifact of artifacts) {
    const key = artifactKey(artifact);
    const known = found.get(key);
    found.set(key, known ? { ...known, instances: [...known.instances, ...artifact.instances] } : artifact);
  }
  return found;
}

function summary({ name, fingerprint, instances, flows }: SnapshotArtifactRecord): DiffArtifact {
  const [flow] = flows;
  const pods = instances.flatMap(({ podName }) => podName ?? []);
  return {
    fingerprint,
    name,
    mostRecentTimestamp: instances.reduce(
      (latest, { creationTimestamp }) => Math.max(latest, creationTimestamp),
      0,
    ),
    flow: flow?.flowName ?? "",
    commitUrl: flow?.commitUrl ?? null,
    instanceCount: instances.length,
    pods: pods.length > 0 ? pods : null,
  };
}
