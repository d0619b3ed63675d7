import { parseExactJson } from "../exact-json.ts";
import type { Database, Tables } from "../store/tables.ts";
import type { AppliedPolicy, SnapshotArtifactRecord } from "./snapshots.ts";

/** An artifact that runs, and whether it may. */
export type JudgedArtifact = Omit<SnapshotArtifactRecord, "flows">;

/** A snapshot as it was judged when it was reported. What it changed is worked out when it is filed. */
export interface UnfiledSnapshot {
  environmentId: string;
  number: number;
  artifactSet: string;
  conditions: string;
  content: JudgedContent;
  /** Unix seconds. */
  takenAt: number;
}

interface JudgedContent {
  /** Whether all that runs may run. Null without policies. */
  state: boolean | null;
  policies: readonly AppliedPolicy[];
  artifacts: readonly JudgedArtifact[];
}

/** What tells whether the latest snapshot of an environment still holds. */
export type SnapshotMark = Pick<UnfiledSnapshot, "number" | "artifactSet" | "conditions">;

/** The latest snapshot of an environment, be it filed or not. */
export async function latestMark(
  db: Database,
  { id, latest_snapshot_id }: Pick<Tables["environments"], "id" | "latest_snapshot_id">,
): Promise<SnapshotMark | undefined> {
  return db
    .selectFrom("unfiled_snapshots")
    .select(["number", "artifact_set as artifactSet", "conditions"])
    .where("environment_id", "=", id)
    .unionAll(({ selectFrom }) =>
      selectFrom("snapshots")
        .select(["number", "artifact_set as artifactSet", "conditions"])
        .where("id", "=", latest_snapshot_id),
    )
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Records a snapshot for good, in one row however much runs. */
export async function insertUnfiled(db: Database, snapshot: UnfiledSnapshot): Promise<void> {
  await db
    .insertInto("unfiled_snapshots")
    .values({
      environment_id: snapshot.environmentId,
      number: snapshot.number,
      artifact_set: snapshot.artifactSet,
      conditions: snapshot.conditions,
      content: JSON.stringify(snapshot.content),
      created_at: snapshot.takenAt,
    })
    .execute();
}

/** The sequence of the snapshot that came last of those that wait to be filed. */
export async function newestUnfiled(db: Database): Promise<number | null> {
  const { newest } = await db
    .selectFrom("unfiled_snapshots")
    .select(({ fn }) => fn.max("sequence").as("newest"))
    .executeTakeFirstOrThrow();
  return newest;
}

/** The snapshot that has waited longest to be filed, up to a sequence, which then waits no longer. */
export async function takeOldestUnfiled(db: Database, upTo: number): Promise<UnfiledSnapshot | undefined> {
  const row = await db
    .selectFrom("unfiled_snapshots")
    .selectAll()
    .where("sequence", "=", ({ selectFrom }) =>
      selectFrom("unfiled_snapshots").select(({ fn }) => fn.min("sequence").as("oldest")),
    )
    .where("sequence", "<=", upTo)
    .executeTakeFirst();
  if (!row) return undefined;
  await db.deleteFrom("unfiled_snapshots").where("sequence", "=", row.sequence).execute();
  return {
    environmentId: row.environment_id,
    number: row.number,
    artifactSet: row.artifact_set,
    conditions: row.conditions,
    // Written by this service from a value of this type.
    content: parseExactJson(row.content) as JudgedContent,
    takenAt: row.created_at,
  };
}
