import type { Selectable } from "kysely";
import type { Change } from "../environments/changes.ts";
import type { Instance } from "../environments/running.ts";
import { newId } from "../store/ids.ts";
import { insertRows } from "../store/json-rows.ts";
import type { Database, Tables } from "../store/tables.ts";
import { detailsColumn, readDetails, type SnapshotDetails } from "./snapshot-details.ts";

/** A policy that held for a snapshot. */
export interface AppliedPolicy {
  id: string;
  name: string;
  version: number;
  failingArtifacts: readonly { name: string; fingerprint: string }[];
}

export interface SnapshotArtifactRecord extends SnapshotDetails {
  name: string;
  /** Empty when it is not known what runs. */
  fingerprint: string;
  instances: readonly Instance[];
  /** Null without policies. */
  compliant: boolean | null;
}

/** What ran in an environment at a moment, to be recorded. */
export interface NewSnapshot {
  environmentId: string;
  number: number;
  artifactSet: string;
  conditions: string;
  /** Null without policies. */
  state: boolean | null;
  policies: readonly AppliedPolicy[];
  artifacts: readonly SnapshotArtifactRecord[];
  changes: readonly Change[];
}

export type SnapshotRow = Selectable<Tables["snapshots"]>;

/** Records a snapshot as the latest of its environment. */
export async function insertSnapshot(db: Database, snapshot: NewSnapshot, now: number): Promise<void> {
  const id = newId();
  await db
    .insertInto("snapshots")
    .values({
      id,
      environment_id: snapshot.environmentId,
      number: snapshot.number,
      artifact_set: snapshot.artifactSet,
      conditions: snapshot.conditions,
      compliant: Number(snapshot.state === true),
      state: snapshot.state === null ? null : Number(snapshot.state),
      policies: JSON.stringify(snapshot.policies.map(policyColumn)),
      created_at: now,
    })
    .execute();
  const artifacts = snapshot.artifacts.map((artifact) => ({
    snapshot_id: id,
    name: artifact.name,
    fingerprint: artifact.fingerprint,
    instances: artifact.instances,
    compliant: artifact.compliant === null ? null : Number(artifact.compliant),
    details: detailsColumn(artifact),
  }));
  await insertRows(db, "snapshot_artifacts", artifacts.sort(byFingerprint), ["instances", "details"]);
  const events = snapshot.changes.map(({ name, fingerprint, type, was, now: after }) => ({
    snapshot_id: id,
    name,
    fingerprint,
    type,
    instances_before: was,
    instances_after: after,
  }));
  await insertRows(db, "snapshot_events", events.sort(byFingerprint));
  await db
    .updateTable("environments")
    .set({ latest_snapshot_id: id })
    .where("id", "=", snapshot.environmentId)
    .execute();
}

/** The order of the indexes they go into: each of their pages is touched once. */
function byFingerprint(a: { fingerprint: string }, b: { fingerprint: string }): number {
  return a.fingerprint < b.fingerprint ? -1 : 1;
}

function policyColumn({ id, name, version, failingArtifacts }: AppliedPolicy) {
  return { id, name, version, failing_artifacts: failingArtifacts };
}

/** The policies that held for a snapshot, as they were then. */
export function policiesOf({ policies }: Pick<SnapshotRow, "policies">): AppliedPolicy[] {
  const stored: (Omit<AppliedPolicy, "failingArtifacts"> & {
    failing_artifacts: AppliedPolicy["failingArtifacts"];
  })[] = JSON.parse(policies);
  return stored.map(({ failing_artifacts, ...policy }) => ({
    ...policy,
    failingArtifacts: failing_artifacts,
  }));
}

/** What ran in snapshots, by snapshot, sorted by name. */
export async function artifactsOf(
  db: Database,
  snapshotIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SnapshotArtifactRecord[]>> {
  if (snapshotIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("snapshot_artifacts")
    .selectAll()
    .where("snapshot_id", "in", snapshotIds)
    .orderBy("snapshot_id")
    .orderBy("name")
    .orderBy("fingerprint")
    .execute();
  const found = new Map<string, SnapshotArtifactRecord[]>();
  for (const row of rows) {
    const known = found.get(row.snapshot_id);
    if (known) known.push(asRecord(row));
    else found.set(row.snapshot_id, [asRecord(row)]);
  }
  return found;
}

export function asRecord(row: Omit<Tables["snapshot_artifacts"], "snapshot_id">): SnapshotArtifactRecord {
  return {
    name: row.name,
    fingerprint: row.fingerprint,
    instances: JSON.parse(row.instances),
    compliant: asBoolean(row.compliant),
    ...readDetails(row.details),
  };
}

export function asBoolean(flag: number | null): boolean | null {
  return flag === null ? null : flag === 1;
}
