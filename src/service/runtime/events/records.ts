import type { SelectQueryBuilder } from "kysely";
import type { Slice } from "../../kernel/paging.ts";
import { listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { readIntervals, type SnapshotArtifactRecord } from "../running/intervals.ts";

/** Which events are meant. Absent bounds are open. */
export interface EventFilter {
  environmentIds: readonly string[];
  /** Numbers of snapshots, both ends among them. */
  firstNumber?: number | undefined;
  lastNumber?: number | undefined;
  /** Unix seconds; the events at this time are among them. */
  from?: number | undefined;
  /** Unix seconds; the events at this time are among them as well. */
  until?: number | undefined;
  /** Unix seconds; the events at this time are not among them. */
  before?: number | undefined;
  /** Ours; only what was built from one of these. */
  repoIds?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  /** Ours; only what was built in one of these flows. */
  flowIds?: readonly string[] | undefined;
  /** With `flowIds`: also what nobody here has built. */
  orWithoutProvenance?: boolean | undefined;
}

/** What changed about an artifact in an environment. */
export interface EventRecord {
  environmentId: string;
  snapshotNumber: number;
  snapshotCompliant: boolean;
  /** Unix seconds. */
  reportedAt: number;
  name: string;
  fingerprint: string;
  type: string;
  was: number;
  now: number;
  /** As it is in the snapshot; of what stopped running, as it was in the one before. */
  artifact: SnapshotArtifactRecord | undefined;
}

interface EventSlice extends Slice {
  newestFirst: boolean;
}

/** Some of the events that pass a filter, and how many there are in all. */
export async function listEvents(
  db: Database,
  orgId: string,
  filter: EventFilter,
  slice: EventSlice,
): Promise<{ total: number; events: EventRecord[] }> {
  if (filter.environmentIds.length === 0) return { total: 0, events: [] };
  const count = (events: Joined) => events.select(({ fn }) => fn.countAll<number>().as("count"));
  const { began, ended } = await db
    .selectNoFrom([
      count(beginnings(db, orgId, filter)).as("began"),
      count(endings(db, orgId, filter)).as("ended"),
    ])
    .executeTakeFirstOrThrow();
  return { total: Number(began) + Number(ended), events: await someEvents(db, orgId, filter, slice) };
}

/** Some of the events that pass a filter. */
export async function someEvents(
  db: Database,
  orgId: string,
  filter: EventFilter,
  { limit, offset, newestFirst }: EventSlice,
): Promise<EventRecord[]> {
  if (filter.environmentIds.length === 0) return [];
  const direction = newestFirst ? "desc" : "asc";
  let selected = beginnings(db, orgId, filter)
    .select(SHOWN)
    .select(["running.change as type", "instances_before as was", "instance_count as now"])
    .unionAll(
      endings(db, orgId, filter)
        .select(SHOWN)
        .select(({ lit, val }) => [val("exited").as("type"), "instance_count as was", lit(0).as("now")]),
    );
  if (filter.environmentIds.length > 1) {
    selected = selected.orderBy("created_at", direction).orderBy("environment_id", direction);
  }
  const rows = await selected
    .orderBy("number", direction)
    .orderBy("name")
    .orderBy("fingerprint")
    .limit(limit)
    .offset(offset)
    .execute();
  const found = await readIntervals(db, [...new Set(rows.map(({ id }) => id))]);
  const artifacts = new Map(found.map(({ row, record }) => [row.id, record]));
  return rows.map((row) => ({
    environmentId: row.environment_id,
    snapshotNumber: row.number,
    snapshotCompliant: row.compliant === 1,
    reportedAt: row.created_at,
    name: row.name,
    fingerprint: row.fingerprint,
    type: row.type ?? "",
    was: row.was,
    now: row.now,
    artifact: artifacts.get(row.id),
  }));
}

/** Named by `as`, since only so can the two halves of a union be sorted by a column that both tables have. */
const SHOWN = [
  "running.id",
  "running.name",
  "running.fingerprint",
  "snapshots.environment_id as environment_id",
  "snapshots.number",
  "snapshots.compliant",
  "snapshots.created_at",
] as const;

type Joined = SelectQueryBuilder<
  Tables & { running: Tables["running_intervals"] },
  "snapshots" | "running",
  object
>;

/** What started running, or changed while it ran. */
function beginnings(db: Database, orgId: string, filter: EventFilter): Joined {
  const all = within(joined(db), orgId, filter).whereRef("running.since", "=", "snapshots.number");
  return filter.types === undefined
    ? all.where("running.change", "is not", null)
    : all.where("running.change", "in", listed(filter.types));
}

/** What stopped running. */
function endings(db: Database, orgId: string, filter: EventFilter): Joined {
  const all = within(joined(db), orgId, filter)
    .whereRef("running.until", "=", "snapshots.number")
    .where("running.ended", "=", 1);
  return filter.types === undefined || filter.types.includes("exited")
    ? all
    : all.where(({ lit }) => lit(false));
}

/** A cross join, as the order of the tables is the order in which they are read: that of the snapshots. */
function joined(db: Database): Joined {
  return db
    .selectFrom("snapshots")
    .crossJoin("running_intervals as running")
    .whereRef("running.environment_id", "=", "snapshots.environment_id");
}

function within(
  all: Joined,
  orgId: string,
  { environmentIds, firstNumber, lastNumber, from, until, before, ...origin }: EventFilter,
): Joined {
  const [only, ...others] = environmentIds;
  // By equality where it can be, so that the index gives the order as well.
  let query =
    others.length === 0 && only !== undefined
      ? all.where("snapshots.environment_id", "=", only)
      : all.where("snapshots.environment_id", "in", listed(environmentIds));
  if (firstNumber !== undefined) query = query.where("snapshots.number", ">=", firstNumber);
  if (lastNumber !== undefined) query = query.where("snapshots.number", "<=", lastNumber);
  if (from !== undefined) query = query.where("snapshots.created_at", ">=", from);
  if (until !== undefined) query = query.where("snapshots.created_at", "<=", until);
  if (before !== undefined) query = query.where("snapshots.created_at", "<", before);
  const { repoIds, flowIds, orWithoutProvenance = false } = origin;
  if (repoIds !== undefined) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("artifacts")
          .select("artifacts.id")
          .whereRef("artifacts.fingerprint", "=", "running.fingerprint")
          .where("artifacts.org_id", "=", orgId)
          .where("artifacts.repo_id", "in", listed(repoIds)),
      ),
    );
  }
  if (flowIds === undefined) return query;
  return query.where(({ exists, not, or, selectFrom }) => {
    const reports = selectFrom("artifacts")
      .select("artifacts.id")
      .whereRef("artifacts.fingerprint", "=", "running.fingerprint")
      .where("artifacts.org_id", "=", orgId);
    const inFlows = exists(reports.where("artifacts.flow_id", "in", listed(flowIds)));
    return orWithoutProvenance ? or([inFlows, not(exists(reports))]) : inFlows;
  });
}
