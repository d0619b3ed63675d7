import type { SelectQueryBuilder } from "kysely";
import type { FilterOf, Slice } from "../../kernel/paging.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { readIntervals, type SnapshotArtifactRecord } from "../running/intervals.ts";

/** Absent bounds are open. */
export interface EventFilter extends FilterOf<"environment events"> {
  environmentIds: readonly string[];
  /** Snapshot numbers, inclusive. */
  firstNumber?: number | undefined;
  lastNumber?: number | undefined;
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  /** Unix seconds, inclusive. */
  until?: number | undefined;
  /** Unix seconds, exclusive. */
  before?: number | undefined;
  /** Internal repository ids. Only artifacts built from these repositories. */
  repoIds?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  /** Internal flow ids. Only artifacts built in these flows. */
  flowIds?: readonly string[] | undefined;
  /** With `flowIds`: also artifacts without provenance. */
  orWithoutProvenance?: boolean | undefined;
}

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
  /** After the change, or before it for an artifact that stopped. */
  artifact: SnapshotArtifactRecord | undefined;
}

interface EventSlice extends Slice {
  newestFirst: boolean;
}

export async function listEvents(db: Database, orgId: string, filter: EventFilter, slice: EventSlice) {
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

export async function someEvents(
  db: Database,
  orgId: string,
  filter: EventFilter,
  { limit, offset, newestFirst }: EventSlice,
): Promise<EventRecord[]> {
  if (filter.environmentIds.length === 0) return [];
  const direction = newestFirst ? "desc" : "asc";
  const several = filter.environmentIds.length > 1;
  const { ref } = db.dynamic;
  const first = <Scope, From extends keyof Scope, Row>(events: SelectQueryBuilder<Scope, From, Row>) =>
    (several ? ["created_at", "environment_id", "number"] : ["number"])
      .reduce((sorted, column) => sorted.orderBy(ref(column), direction), events)
      .orderBy(ref("name"))
      .orderBy(ref("fingerprint"))
      .limit(limit + offset);
  const began = beginnings(db, orgId, filter)
    .select(SHOWN)
    .select(["running.change as type", "instances_before as was", "instance_count as now"]);
  const ended = endings(db, orgId, filter)
    .select(SHOWN)
    .select(({ lit, val }) => [val("exited").as("type"), "instance_count as was", lit(0).as("now")]);
  // Each part ends early by its index, so the first pages of a long history are fast.
  const both = db
    .selectFrom(first(began).as("began"))
    .selectAll()
    .unionAll(db.selectFrom(first(ended).as("ended")).selectAll());
  const rows = await first(both).limit(limit).offset(offset).execute();
  const found = await readIntervals(db, [...new Set(idsOf(rows))]);
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

/** Aliased, because a union can only be sorted by a column with one name. */
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

function beginnings(db: Database, orgId: string, filter: EventFilter): Joined {
  const all = within(joined(db), orgId, filter)
    .whereRef("running.since", "=", "snapshots.number")
    // The index has this condition.
    .where("running.change", "is not", null);
  return filter.types === undefined ? all : all.where("running.change", "in", listed(filter.types));
}

function endings(db: Database, orgId: string, filter: EventFilter): Joined {
  const all = within(joined(db), orgId, filter)
    .whereRef("running.until", "=", "snapshots.number")
    .where("running.ended", "=", 1);
  return filter.types === undefined || filter.types.includes("exited")
    ? all
    : all.where(({ lit }) => lit(false));
}

/** Cross joins fix the order of reading: snapshots first. */
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
  // With an equality condition, the index also provides the order.
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
