import { namesIn, type Scope } from "../../kernel/scope.ts";
import { isAmong, listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

export interface RunningInstance {
  fingerprint: string;
  environmentName: string;
  snapshotIndex: number;
}

export interface Runs {
  running: readonly RunningInstance[];
  /** Former runs, with the latest snapshot in which they had stopped. */
  exited: readonly RunningInstance[];
}

const NOWHERE: Runs = { running: [], exited: [] };

/** Current and former runs of artifacts within a scope, by fingerprint. */
export async function runsOf(
  db: Database,
  orgId: string,
  fingerprints: readonly string[],
  scope: Scope,
): Promise<(fingerprint: string) => Runs> {
  if (fingerprints.length === 0) return () => NOWHERE;
  const running = Map.groupBy(await runningNow(db, orgId, fingerprints, scope), (run) => run.fingerprint);
  const exits = Map.groupBy(await latestExits(db, orgId, fingerprints, scope), (run) => run.fingerprint);
  return (fingerprint) => {
    const now = running.get(fingerprint) ?? [];
    const names = new Set(now.map(({ environmentName }) => environmentName));
    const exited = (exits.get(fingerprint) ?? []).filter((exit) => !names.has(exit.environmentName));
    return { running: now, exited };
  };
}

function runningNow(db: Database, orgId: string, fingerprints: readonly string[], scope: Scope) {
  return db
    .selectFrom("environments")
    .innerJoin("snapshots", "snapshots.id", "environments.latest_snapshot_id")
    .innerJoin("running_intervals as running", "running.environment_id", "environments.id")
    .select(["running.fingerprint", "environments.name as environmentName"])
    .select("snapshots.number as snapshotIndex")
    .distinct()
    .where("environments.org_id", "=", orgId)
    .where("environments.archived_at", "is", null)
    .where("running.until", "is", null)
    .where("running.fingerprint", "in", listed(fingerprints))
    .where(isAmong("environments.name", namesIn(scope, "environments")))
    .orderBy("environmentName")
    .execute();
}

function latestExits(db: Database, orgId: string, fingerprints: readonly string[], scope: Scope) {
  return db
    .selectFrom("running_intervals as ran")
    .innerJoin("environments", "environments.id", "ran.environment_id")
    .select(["ran.fingerprint", "environments.name as environmentName"])
    .select(({ fn }) => fn.max<number>("ran.until").as("snapshotIndex"))
    .where("ran.fingerprint", "in", listed(fingerprints))
    .where("ran.ended", "=", 1)
    .where("environments.org_id", "=", orgId)
    .where(isAmong("environments.name", namesIn(scope, "environments")))
    .groupBy(["ran.fingerprint", "environments.name"])
    .orderBy("environmentName")
    .execute();
}

/**
 * Artifacts that ever ran within a scope, by fingerprint prefix. The cross join prevents SQLite from starting with the
 * environments and reading everything that ever ran there.
 */
export async function seenWithPrefix(
  db: Database,
  orgId: string,
  { prefix, scope }: { prefix: string; scope: Scope },
  limit: number,
): Promise<{ fingerprint: string; name: string }[]> {
  return db
    .selectFrom("running_intervals as ran")
    .crossJoin("environments")
    .select(["ran.fingerprint", "ran.name"])
    .distinct()
    .whereRef("environments.id", "=", "ran.environment_id")
    .where("environments.org_id", "=", orgId)
    .where(isAmong("environments.name", namesIn(scope, "environments")))
    .where("ran.fingerprint", ">=", prefix)
    .where("ran.fingerprint", "<", `${prefix}g`)
    .orderBy("ran.fingerprint")
    .orderBy("ran.name")
    .limit(limit)
    .execute();
}
