import { artifactKey } from "../policies/evaluate-environment.ts";
import type { Database } from "../store/tables.ts";
import { type History, type HistoryEntry, snapshotsAt } from "./histories.ts";
import { artifactsOf, asRecord, type SnapshotArtifactRecord, type SnapshotRow } from "./snapshots.ts";

/** What changed about an artifact with a snapshot. */
export interface Annotation {
  type: string;
  was: number;
  now: number;
}

export interface ShownArtifact extends SnapshotArtifactRecord {
  environmentName: string;
  annotation: Annotation;
}

/** All that a snapshot shows. */
export interface SnapshotContent {
  /** One; of a logical environment one for each member that had any. */
  snapshots: readonly SnapshotRow[];
  /** What ran. */
  running: readonly ShownArtifact[];
  /** What had just stopped running. */
  exited: readonly ShownArtifact[];
}

export async function snapshotContent(
  db: Database,
  history: History,
  entry: HistoryEntry,
): Promise<SnapshotContent> {
  const latest = await snapshotsAt(db, history, entry);
  const parts = history.parts.flatMap(({ id, name }) => {
    const snapshot = latest.get(id);
    return snapshot ? [{ name, snapshot }] : [];
  });
  const artifacts = await artifactsOf(
    db,
    parts.map(({ snapshot }) => snapshot.id),
  );
  const events = await eventsOf(db, entry.snapshot.id);
  const running = parts.flatMap(({ name, snapshot }) =>
    (artifacts.get(snapshot.id) ?? []).map((artifact) => {
      const event = snapshot.id === entry.snapshot.id ? events.get(artifactKey(artifact)) : undefined;
      const count = artifact.instances.length;
      const annotation = event ?? { type: "unchanged", was: count, now: count };
      return { ...artifact, environmentName: name, annotation };
    }),
  );
  const source = history.parts.find(({ id }) => id === entry.snapshot.environment_id);
  const exited = (await exitedWith(db, entry.snapshot)).map((artifact) => ({
    ...artifact,
    environmentName: source?.name ?? "",
    annotation: events.get(artifactKey(artifact)) ?? {
      type: "exited",
      was: artifact.instances.length,
      now: 0,
    },
  }));
  return { snapshots: parts.map(({ snapshot }) => snapshot), running, exited };
}

async function eventsOf(db: Database, snapshotId: string): Promise<ReadonlyMap<string, Annotation>> {
  const rows = await db
    .selectFrom("snapshot_events")
    .select(["name", "fingerprint", "type", "instances_before", "instances_after"])
    .where("snapshot_id", "=", snapshotId)
    .execute();
  return new Map(
    rows.map((row) => [
      artifactKey(row),
      { type: row.type, was: row.instances_before, now: row.instances_after },
    ]),
  );
}

/** What ran in the snapshot before, and no longer in this one. */
async function exitedWith(db: Database, snapshot: SnapshotRow): Promise<SnapshotArtifactRecord[]> {
  const rows = await db
    .selectFrom("snapshot_events")
    .innerJoin("snapshots as previous", (join) =>
      join
        .on("previous.environment_id", "=", snapshot.environment_id)
        .on("previous.number", "=", snapshot.number - 1),
    )
    .innerJoin("snapshot_artifacts", (join) =>
      join
        .onRef("snapshot_artifacts.snapshot_id", "=", "previous.id")
        .onRef("snapshot_artifacts.name", "=", "snapshot_events.name")
        .onRef("snapshot_artifacts.fingerprint", "=", "snapshot_events.fingerprint"),
    )
    .selectAll("snapshot_artifacts")
    .where("snapshot_events.snapshot_id", "=", snapshot.id)
    .where("snapshot_events.type", "=", "exited")
    .orderBy("snapshot_artifacts.name")
    .orderBy("snapshot_artifacts.fingerprint")
    .execute();
  return rows.map(asRecord);
}
