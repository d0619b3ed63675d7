import { expressionBuilder, type SelectQueryBuilder } from "kysely";
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
  const { began, ended } = await db
    .selectNoFrom([
      count(db, orgId, filter, "since").as("began"),
      count(db, orgId, filter, "until").as("ended"),
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
  const began = joined(db, orgId, filter, "since")
    .select(SHOWN)
    .select(["running.change as type", "instances_before as was", "instance_count as now"]);
  const ended = joined(db, orgId, filter, "until")
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

type Scope = Tables & { running: Tables["running_intervals"] };
/** The number of the snapshot in which the event happened. */
type Edge = "since" | "until";

/** Cross joins fix the order of reading: snapshots first. */
function joined(db: Database, orgId: string, filter: EventFilter, edge: Edge) {
  const { from, until, before } = filter;
  let query = db
    .selectFrom("snapshots")
    .crossJoin("running_intervals as running")
    .whereRef("running.environment_id", "=", "snapshots.environment_id")
    .whereRef(`running.${edge}`, "=", "snapshots.number")
    .where(isWithin(filter, { environmentId: "snapshots.environment_id", number: "snapshots.number" }))
    .where(isEvent(orgId, filter, edge));
  if (from !== undefined) query = query.where("snapshots.created_at", ">=", from);
  if (until !== undefined) query = query.where("snapshots.created_at", "<=", until);
  if (before !== undefined) query = query.where("snapshots.created_at", "<", before);
  return query;
}

/** Without a limit in time, an index of the intervals has all that is counted. */
function count(db: Database, orgId: string, filter: EventFilter, edge: Edge) {
  const isInTime = [filter.from, filter.until, filter.before].some((time) => time !== undefined);
  const columns = { environmentId: "running.environment_id", number: `running.${edge}` } as const;
  return isInTime
    ? joined(db, orgId, filter, edge).select(({ fn }) => fn.countAll<number>().as("count"))
    : db
        .selectFrom("running_intervals as running")
        .where(isWithin(filter, columns))
        .where(isEvent(orgId, filter, edge))
        .select(({ fn }) => fn.countAll<number>().as("count"));
}

interface Columns {
  readonly environmentId: "snapshots.environment_id" | "running.environment_id";
  readonly number: "snapshots.number" | `running.${Edge}`;
}

function isWithin({ environmentIds, firstNumber, lastNumber }: EventFilter, columns: Columns) {
  const { and, eb } = expressionBuilder<Scope, "snapshots" | "running">();
  const [only, ...others] = environmentIds;
  return and([
    // With an equality condition, the index also provides the order.
    others.length === 0 && only !== undefined
      ? eb(columns.environmentId, "=", only)
      : eb(columns.environmentId, "in", listed(environmentIds)),
    ...(firstNumber === undefined ? [] : [eb(columns.number, ">=", firstNumber)]),
    ...(lastNumber === undefined ? [] : [eb(columns.number, "<=", lastNumber)]),
  ]);
}

function isEvent(orgId: string, { types, repoIds, flowIds, orWithoutProvenance }: EventFilter, edge: Edge) {
  const { and, eb, exists, lit, not, or, selectFrom } = expressionBuilder<Scope, "running">();
  const reports = selectFrom("artifacts")
    .select("artifacts.id")
    .whereRef("artifacts.fingerprint", "=", "running.fingerprint")
    .where("artifacts.org_id", "=", orgId);
  const began = [
    // The index has this condition.
    eb("running.change", "is not", null),
    ...(types === undefined ? [] : [eb("running.change", "in", listed(types))]),
  ];
  const ended = [eb("running.ended", "=", 1), lit(types?.includes("exited") ?? true)];
  const without = orWithoutProvenance ? [not(exists(reports))] : [];
  return and([
    ...(edge === "since" ? began : ended),
    ...(repoIds === undefined ? [] : [exists(reports.where("artifacts.repo_id", "in", listed(repoIds)))]),
    ...(flowIds === undefined
      ? []
      : [or([exists(reports.where("artifacts.flow_id", "in", listed(flowIds))), ...without])]),
  ]);
}
