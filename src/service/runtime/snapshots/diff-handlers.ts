import type { DiffArtifact } from "../../../api/resources/snapshots.ts";
import { artifactKey } from "../../kernel/artifact-key.ts";
import type { Organization } from "../../kernel/caller.ts";
import { Invalid } from "../../kernel/errors.ts";
import type { Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { artifactsIn, type SnapshotArtifactRecord } from "../running/intervals.ts";
import { parseSnappish } from "./expression.ts";
import { findEntry, snapshotsAt } from "./histories.ts";
import type { SnapshotRow } from "./records.ts";

export const diffSnapshots: Handler<"diffSnapshots"> = async ({ org, params }, { store, now }) => {
  const time = now();
  const [name1, name2] = [parse(params.snappish1, time), parse(params.snappish2, time)];
  const [found1, found2] = await store.readTogether(
    async (db): Promise<[Meant, Meant]> => [
      await snapshotsMeant(db, org, name1),
      await snapshotsMeant(db, org, name2),
    ],
  );
  // Snapshots never change, so separate reads are consistent.
  const { onlyFirst, onlySecond, changed, unchanged } = differencesBetween(
    await whatRan(store.read, found1.snapshots),
    await whatRan(store.read, found2.snapshots),
  );
  return {
    status: 200,
    body: {
      snappish1: { snapshotId: found1.snapshotId, artifacts: onlyFirst },
      snappish2: { snapshotId: found2.snapshotId, artifacts: onlySecond },
      changed: { snapshotId: null, artifacts: changed },
      notChanged: { snapshotId: null, artifacts: unchanged },
    },
  };
};

type Snappish = NonNullable<ReturnType<typeof parseSnappish>>;

function parse(text: string, now: number): Snappish {
  const snappish = parseSnappish(text, now);
  if (!snappish) throw new Invalid("snapshot.reference_invalid", `Bad snappish '${text}'`);
  return snappish;
}

interface Meant {
  snapshotId: string;
  /** One, or one for each member of a logical environment with snapshots. */
  snapshots: readonly SnapshotRow[];
}

async function snapshotsMeant(
  db: Database,
  org: Organization,
  { environment, expression, suffix }: Snappish,
): Promise<Meant> {
  const shown = `${environment}${suffix}`;
  const { history, entry } = await findEntry(db, org, { environmentName: environment, expression, shown });
  const snapshots = await snapshotsAt(db, history, entry);
  return { snapshotId: `${environment}#${entry.index}`, snapshots: [...snapshots.values()] };
}

async function whatRan(db: Database, snapshots: readonly SnapshotRow[]): Promise<SnapshotArtifactRecord[]> {
  const artifacts: SnapshotArtifactRecord[] = [];
  for (const snapshot of snapshots) {
    for (const artifact of await artifactsIn(db, snapshot)) artifacts.push(artifact);
  }
  return artifacts;
}

interface SnapshotDiff {
  onlyFirst: DiffArtifact[];
  onlySecond: DiffArtifact[];
  /** In both, with different numbers of instances. */
  changed: DiffArtifact[];
  unchanged: DiffArtifact[];
}

/** Sorted by name. */
function differencesBetween(
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

/** Merges equal artifacts of a logical environment's members. */
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
