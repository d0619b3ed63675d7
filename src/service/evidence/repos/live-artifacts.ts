import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

/** An artifact of a repository that runs in an environment's latest snapshot. */
export interface LiveArtifact {
  artifact: {
    /** Id of its latest report. */
    id: string;
    fingerprint: string;
    commitSha: string | null;
    commitUrl: string;
    flowName: string;
  };
  environment: { id: string; name: string; type: string };
  /** Its name in the environment. */
  artifactName: string;
  snapshotIndex: number;
  compliance: "COMPLIANT" | "NON-COMPLIANT" | null;
  /** Unix seconds: start of its uninterrupted run. */
  startedAt: number;
}

/** Sorted by environment and name. The cost depends on the running artifacts, not on the built ones. */
export async function liveArtifacts(db: Database, orgId: string, repoId: string): Promise<LiveArtifact[]> {
  const running = await allRunning(db, orgId);
  const distinct = [...new Set(running.map(({ fingerprint }) => fingerprint))];
  const reportOf = await latestReports(db, { orgId, repoId, fingerprints: distinct });
  const startOf = await starts(db, [...reportOf.keys()]);
  return running.flatMap((row) => {
    const artifact = reportOf.get(row.fingerprint);
    if (!artifact) return [];
    const startedAt = startOf.get(runKey(row)) ?? row.snapshot_at;
    return {
      artifact,
      environment: { id: row.environment_id, name: row.environment_name, type: row.type },
      artifactName: row.name,
      snapshotIndex: row.number,
      compliance: row.compliant === null ? null : row.compliant === 1 ? "COMPLIANT" : "NON-COMPLIANT",
      startedAt,
    };
  });
}

function allRunning(db: Database, orgId: string) {
  return db
    .selectFrom("environments")
    .innerJoin("snapshots", "snapshots.id", "environments.latest_snapshot_id")
    .innerJoin("running_intervals as running", "running.environment_id", "environments.id")
    .select(["environments.id as environment_id", "environments.name as environment_name"])
    .select(["environments.type", "snapshots.number", "snapshots.created_at as snapshot_at"])
    .select(["running.name", "running.fingerprint", "running.compliant"])
    .where("environments.org_id", "=", orgId)
    .where("environments.archived_at", "is", null)
    .where("running.until", "is", null)
    .orderBy("environments.name")
    .orderBy("running.name")
    .orderBy("running.fingerprint")
    .execute();
}

/** By fingerprint. Artifacts from other repositories are absent. */
async function latestReports(
  db: Database,
  { orgId, repoId, fingerprints }: { orgId: string; repoId: string; fingerprints: readonly string[] },
): Promise<ReadonlyMap<string, LiveArtifact["artifact"]>> {
  const rows = await db
    .selectFrom("artifacts")
    .innerJoin("flows", "flows.id", "artifacts.flow_id")
    .select(["artifacts.id", "artifacts.fingerprint", "artifacts.commit_sha", "artifacts.commit_url"])
    .select(["artifacts.repo_id", "artifacts.sequence", "flows.name as flow_name"])
    .where("artifacts.org_id", "=", orgId)
    .where("artifacts.fingerprint", "in", listed(fingerprints))
    .execute();
  // Filtered here, because as a condition this would make the query read everything built from the repository.
  const own = rows.filter(({ repo_id }) => repo_id === repoId).sort((a, b) => a.sequence - b.sequence);
  return new Map(
    own.map(({ id, fingerprint, commit_sha, commit_url, flow_name }) => [
      fingerprint,
      { id, fingerprint, commitSha: commit_sha, commitUrl: commit_url, flowName: flow_name },
    ]),
  );
}

function runKey(run: { environment_id: string; name: string; fingerprint: string }): string {
  return JSON.stringify([run.environment_id, run.name, run.fingerprint]);
}

async function starts(db: Database, fingerprints: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("running_intervals as ran")
    .innerJoin("snapshots", (join) =>
      join
        .onRef("snapshots.environment_id", "=", "ran.environment_id")
        .onRef("snapshots.number", "=", "ran.since"),
    )
    .select(["ran.environment_id", "ran.name", "ran.fingerprint"])
    .select(({ fn }) => fn.max<number>("snapshots.created_at").as("started_at"))
    .where("ran.fingerprint", "in", listed(fingerprints))
    .where("ran.instances_before", "=", 0)
    .groupBy(["ran.environment_id", "ran.name", "ran.fingerprint"])
    .execute();
  return new Map(rows.map((row) => [runKey(row), row.started_at]));
}
