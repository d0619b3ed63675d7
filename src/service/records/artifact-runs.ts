import type { Database } from "../store/tables.ts";

/** An artifact in a snapshot of an environment. */
export interface Sighting {
  fingerprint: string;
  environmentName: string;
  snapshotIndex: number;
}

/** Where artifacts run by the latest snapshots of the environments, and where they no longer do. */
export interface Runs {
  running: readonly Sighting[];
  /** With the latest snapshot that noticed them gone. */
  exited: readonly Sighting[];
}

const NOWHERE: Runs = { running: [], exited: [] };

/** Where several artifacts run and ran, by fingerprint. One that never ran is absent. */
export async function runsOf(
  db: Database,
  orgId: string,
  fingerprints: readonly string[],
): Promise<(fingerprint: string) => Runs> {
  if (fingerprints.length === 0) return () => NOWHERE;
  const running = Map.groupBy(await runningNow(db, orgId, fingerprints), (run) => run.fingerprint);
  const exits = Map.groupBy(await latestExits(db, orgId, fingerprints), (run) => run.fingerprint);
  return (fingerprint) => {
    const now = running.get(fingerprint) ?? [];
    const names = new Set(now.map(({ environmentName }) => environmentName));
    const exited = (exits.get(fingerprint) ?? []).filter((exit) => !names.has(exit.environmentName));
    return { running: now, exited };
  };
}

function runningNow(db: Database, orgId: string, fingerprints: readonly string[]): Promise<Sighting[]> {
  return db
    .selectFrom("environments")
    .innerJoin("snapshots", "snapshots.id", "environments.latest_snapshot_id")
    .innerJoin("snapshot_artifacts", "snapshot_artifacts.snapshot_id", "snapshots.id")
    .select(["snapshot_artifacts.fingerprint", "environments.name as environmentName"])
    .select("snapshots.number as snapshotIndex")
    .distinct()
    .where("environments.org_id", "=", orgId)
    .where("environments.archived_at", "is", null)
    .where("snapshot_artifacts.fingerprint", "in", fingerprints)
    .orderBy("environmentName")
    .execute();
}

function latestExits(db: Database, orgId: string, fingerprints: readonly string[]): Promise<Sighting[]> {
  return db
    .selectFrom("snapshot_events")
    .innerJoin("snapshots", "snapshots.id", "snapshot_events.snapshot_id")
    .innerJoin("environments", "environments.id", "snapshots.environment_id")
    .select(["snapshot_events.fingerprint", "environments.name as environmentName"])
    .select(({ fn }) => fn.max<number>("snapshots.number").as("snapshotIndex"))
    .where("snapshot_events.fingerprint", "in", fingerprints)
    .where("snapshot_events.type", "=", "exited")
    .where("environments.org_id", "=", orgId)
    .groupBy(["snapshot_events.fingerprint", "environments.name"])
    .orderBy("environmentName")
    .execute();
}

/** The artifacts that ever ran in an organization and whose fingerprint starts with a value. */
export async function seenWithPrefix(
  db: Database,
  orgId: string,
  prefix: string,
  limit: number,
): Promise<{ fingerprint: string; name: string }[]> {
  return db
    .selectFrom("snapshot_events")
    .innerJoin("snapshots", "snapshots.id", "snapshot_events.snapshot_id")
    .innerJoin("environments", "environments.id", "snapshots.environment_id")
    .select(["snapshot_events.fingerprint", "snapshot_events.name"])
    .distinct()
    .where("environments.org_id", "=", orgId)
    .where("snapshot_events.fingerprint", ">=", prefix)
    .where("snapshot_events.fingerprint", "<", `${prefix}g`)
    .orderBy("snapshot_events.fingerprint")
    .limit(limit)
    .execute();
}
