import type { RawBuilder } from "kysely";
import { listedJson } from "../../store/dialect.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import { deployedFlows } from "./deployed-flows.ts";

/** In wire names. */
export interface RunningEvent {
  trailId: string;
  /** Unix seconds. */
  timestamp: number;
  view: Record<string, unknown>;
}

/** Starts and stops of the artifacts of trails. @param environments names to include; undefined for all */
export async function runningEventsOf(
  db: Database,
  trailIds: readonly string[],
  environments: readonly string[] | undefined,
): Promise<RunningEvent[]> {
  const rows = await intervalRows(db, { trailIds, environments });
  const flows = await deployedFlows(db, rows);
  const deployed = rows.flatMap((row, place) => {
    const inTrail = (flows[place] ?? []).filter(({ trailId }) => trailId === row.trail_id);
    return inTrail.map((flow) => ({ row, flow }));
  });
  return deployed.flatMap(({ row, flow }) => {
    const event = (type: string, at: { timestamp: number; index: number }, more: object) => ({
      trailId: row.trail_id,
      timestamp: at.timestamp,
      view: {
        org_id: row.org_id,
        flow_id: row.flow_id,
        trail_id: row.trail_id,
        timestamp: at.timestamp,
        type,
        git_commit_info: flow.gitCommitInfo,
        repo_info: null,
        artifact_fingerprint: row.fingerprint,
        artifact_name: row.name,
        environment_id: row.environment_id,
        environment_name: row.environment_name,
        snapshot_index: at.index,
        template_reference_name: flow.templateName,
        ...more,
      },
    });
    const events: RunningEvent[] = [];
    if (row.instances_before === 0) {
      const at = { timestamp: row.started_at, index: row.since };
      events.push(event("artifact_started_running", at, { replica_number: row.instance_count }));
    }
    if (row.ended === 1 && row.until !== null && row.stopped_at !== null) {
      events.push(event("artifact_stopped_running", { timestamp: row.stopped_at, index: row.until }, {}));
    }
    return events;
  });
}

function intervalRows(
  db: Database,
  { trailIds, environments }: { trailIds: readonly string[]; environments: readonly string[] | undefined },
) {
  const values = { trailIds: JSON.stringify(trailIds) };
  return environments === undefined
    ? selectIntervals(db, values)
    : selectIntervalsAmong(db, { ...values, environments: JSON.stringify(environments) });
}

const selectIntervals = prepared((db, given: Given<{ trailIds: string }>) =>
  intervalsOfTrails(db, given("trailIds")),
);

const selectIntervalsAmong = prepared((db, given: Given<{ trailIds: string; environments: string }>) =>
  intervalsOfTrails(db, given("trailIds")).where(
    "environments.name",
    "in",
    listedJson(given("environments")),
  ),
);

function intervalsOfTrails(db: Database, trailIds: RawBuilder<string>) {
  return db
    .selectFrom("trails")
    .innerJoin("artifacts", "artifacts.trail_id", "trails.id")
    .innerJoin("running_intervals as running", "running.fingerprint", "artifacts.fingerprint")
    .innerJoin("environments", (join) =>
      join
        .onRef("environments.id", "=", "running.environment_id")
        .onRef("environments.org_id", "=", "trails.org_id"),
    )
    .innerJoin("snapshots as first", (join) =>
      join
        .onRef("first.environment_id", "=", "running.environment_id")
        .onRef("first.number", "=", "running.since"),
    )
    .leftJoin("snapshots as next", (join) =>
      join
        .onRef("next.environment_id", "=", "running.environment_id")
        .onRef("next.number", "=", "running.until"),
    )
    .select(["trails.id as trail_id", "trails.org_id", "trails.flow_id"])
    .select(["running.id", "running.name", "running.fingerprint", "running.since", "running.until"])
    .select(["running.instances_before", "running.instance_count", "running.ended", "running.flows"])
    .select(["environments.id as environment_id", "environments.name as environment_name"])
    .select(["first.created_at as started_at", "next.created_at as stopped_at"])
    .distinct()
    .where("trails.id", "in", listedJson(trailIds))
    .where("running.flows", "!=", "[]")
    .where(({ or, eb }) => or([eb("running.instances_before", "=", 0), eb("running.ended", "=", 1)]))
    .orderBy("running.since")
    .orderBy("running.name");
}
