import { newId } from "../store/ids.ts";
import type { Database } from "../store/tables.ts";

/** An artifact that runs, with its instances. */
export interface RunningArtifact {
  name: string;
  fingerprint: string;
  /** What runs it, as JSON. */
  pods: string;
}

/** What runs in an environment at a moment. */
export interface EnvironmentReport {
  artifacts: readonly RunningArtifact[];
  /** Digest of the set of (name, fingerprint). */
  artifactSet: string;
  /** Things run, but of none is it known what it is. */
  undetermined: boolean;
}

/** Rows in one statement; SQLite allows 32,766 values in one. */
const ROWS_PER_INSERT = 5_000;

/**
 * Records a report. It makes a snapshot unless the latest one still holds: the same artifacts run, or the report
 * does not know which. Returns the number of the new snapshot.
 */
export async function addReport(
  db: Database,
  environmentId: string,
  { artifacts, artifactSet, undetermined }: EnvironmentReport,
  now: number,
): Promise<number | undefined> {
  await db
    .updateTable("environments")
    .set({ last_reported_at: now })
    .where("id", "=", environmentId)
    .execute();
  const latest = await db
    .selectFrom("snapshots")
    .select(["number", "artifact_set"])
    .where("environment_id", "=", environmentId)
    .orderBy("number", "desc")
    .executeTakeFirst();
  if (latest && (undetermined || latest.artifact_set === artifactSet)) return undefined;

  const id = newId();
  const number = (latest?.number ?? 0) + 1;
  await db
    .insertInto("snapshots")
    .values({ id, environment_id: environmentId, number, artifact_set: artifactSet, created_at: now })
    .execute();
  for (let start = 0; start < artifacts.length; start += ROWS_PER_INSERT) {
    const rows = artifacts.slice(start, start + ROWS_PER_INSERT);
    await db
      .insertInto("snapshot_artifacts")
      .values(rows.map((artifact) => ({ snapshot_id: id, ...artifact })))
      .execute();
  }
  return number;
}
