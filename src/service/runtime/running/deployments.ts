import type { ExpressionBuilder, SelectQueryBuilder } from "kysely";
import type { FilterOf, Slice } from "../../kernel/paging.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { countRows, listed, listedNumbers, ROW_COUNT } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import type { Instance } from "./artifact.ts";

// A deployment is the start of an artifact that did not run in the previous snapshot of its environment (see
// `is_deployment` in `running_intervals`). Its time is the time of the snapshot.

/** Absent fields match everything. */
export interface DeploymentFilter extends FilterOf<"deployments"> {
  orgId: string;
  /** Physical environments. */
  environmentIds: readonly string[];
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  /** Unix seconds, inclusive. */
  until?: number | undefined;
  /** Internal ids. Only artifacts built from these repositories. */
  repoIds?: readonly string[] | undefined;
  /** Internal ids. Only artifacts that these flows reported. */
  flowIds?: readonly string[] | undefined;
  /** Compliance at the start; null is without policies. */
  isCompliant?: boolean | null | undefined;
  /** Fingerprint or its first characters. */
  fingerprint?: string | undefined;
}

export interface Deployment {
  /** The id of its first interval. */
  id: number;
  environmentId: string;
  fingerprint: string;
  /** Number of the snapshot. */
  number: number;
  /** Unix seconds. */
  deployedAt: number;
  /** Null without policies. */
  isCompliant: boolean | null;
  /** Whether the artifact already ran when the reports began. */
  isInitial: boolean;
  /** Number of the snapshot with the previous start of the artifact in the environment; null for the first one. */
  previousStart: number | null;
}

/** A deployment without what needs further reading. */
export type DeploymentPlace = Pick<Deployment, "id" | "environmentId" | "fingerprint" | "deployedAt">;

export function countDeployments(db: Database, filter: DeploymentFilter): Promise<number> {
  return countRows(matching(db, filter).select(ROW_COUNT));
}

/** Newest first. */
export function newestDeployments(
  db: Database,
  filter: DeploymentFilter,
  { limit, offset }: Slice,
): Promise<Deployment[]> {
  // Sorts by narrow rows before it looks up earlier starts.
  const page = ordered(matching(db, filter), filter, "desc").limit(limit).offset(offset);
  return readDeployments(db, page);
}

/** Newest first. Undefined for more than `most`. Reads only an index. */
export async function newestPlaces(
  db: Database,
  filter: DeploymentFilter,
  most: number,
): Promise<DeploymentPlace[] | undefined> {
  const rows = await matching(db, filter)
    .select(PLACE)
    .limit(most + 1)
    .execute();
  if (rows.length > most) return undefined;
  // Sorted here, because SQLite takes longer if it also has a limit.
  return rows.sort(newestFirst).map((row) => ({
    id: row.id,
    environmentId: row.environment_id,
    fingerprint: row.fingerprint,
    deployedAt: row.created_at,
  }));
}

/** The order of {@link ordered}. */
function newestFirst(one: PlaceRow, other: PlaceRow): number {
  if (one.created_at !== other.created_at) return other.created_at - one.created_at;
  if (one.environment_id !== other.environment_id) return one.environment_id < other.environment_id ? 1 : -1;
  return other.since - one.since || other.id - one.id;
}

/** In the order of the ids of their first intervals. */
export async function deploymentsOf(db: Database, ids: readonly number[]): Promise<Deployment[]> {
  const places: Joined = db
    .selectFrom("running_intervals as running")
    .crossJoin("snapshots")
    .whereRef("snapshots.environment_id", "=", "running.environment_id")
    .whereRef("snapshots.number", "=", "running.since")
    .where("running.id", "in", listedNumbers(ids));
  const found = new Map((await readDeployments(db, places.select(PLACE))).map((each) => [each.id, each]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Oldest first. */
export function oldestDeployments(
  db: Database,
  filter: DeploymentFilter,
  limit: number,
): Promise<Deployment[]> {
  return readDeployments(db, ordered(matching(db, filter), filter, "asc").limit(limit));
}

type Joined = SelectQueryBuilder<
  Tables & { running: Tables["running_intervals"] },
  "snapshots" | "running",
  object
>;

/** Cross joins fix the order of reading: snapshots first. */
function matching(db: Database, filter: DeploymentFilter): Joined {
  const { orgId, environmentIds, from, until, repoIds, flowIds, isCompliant, fingerprint } = filter;
  let query: Joined = db
    .selectFrom("snapshots")
    .crossJoin("running_intervals as running")
    .whereRef("running.environment_id", "=", "snapshots.environment_id")
    .whereRef("running.since", "=", "snapshots.number")
    // A literal, because the index has this condition.
    .where(({ eb, lit }) => eb("running.is_deployment", "=", lit(1)));
  const [only, ...others] = environmentIds;
  // With an equality condition, the index also provides the order.
  query =
    others.length === 0
      ? query.where("snapshots.environment_id", "=", only ?? "")
      : query.where("snapshots.environment_id", "in", listed(environmentIds));
  if (from !== undefined) query = query.where("snapshots.created_at", ">=", from);
  if (until !== undefined) query = query.where("snapshots.created_at", "<=", until);
  if (isCompliant === null) query = query.where("running.compliant", "is", null);
  else if (isCompliant !== undefined) query = query.where("running.compliant", "=", Number(isCompliant));
  if (fingerprint !== undefined) {
    query = query
      .where("running.fingerprint", ">=", fingerprint)
      .where("running.fingerprint", "<=", fingerprint.padEnd(64, "f"));
  }
  if (repoIds !== undefined) query = query.where(isReported(orgId, "artifacts.repo_id", repoIds));
  if (flowIds !== undefined) query = query.where(isReported(orgId, "artifacts.flow_id", flowIds));
  return query;
}

function isReported(
  orgId: string,
  column: "artifacts.repo_id" | "artifacts.flow_id",
  ids: readonly string[],
) {
  return ({
    exists,
    selectFrom,
  }: ExpressionBuilder<Tables & { running: Tables["running_intervals"] }, "running">) =>
    exists(
      selectFrom("artifacts")
        .select("artifacts.id")
        .whereRef("artifacts.fingerprint", "=", "running.fingerprint")
        .where("artifacts.org_id", "=", orgId)
        .where(column, "in", listed(ids)),
    );
}

const PLACE = [
  "running.id",
  "running.environment_id",
  "running.fingerprint",
  "running.since",
  "running.compliant",
  "snapshots.created_at",
] as const;

type PlaceRow = Awaited<ReturnType<ReturnType<typeof ordered>["execute"]>>[number];

function ordered(query: Joined, { environmentIds }: DeploymentFilter, direction: "asc" | "desc") {
  const places = query.select(PLACE);
  // Several environments are ordered by time, and one by its numbers, as in the index.
  const sorted =
    environmentIds.length > 1
      ? places.orderBy("snapshots.created_at", direction).orderBy("snapshots.environment_id", direction)
      : places.orderBy("snapshots.created_at", direction);
  return sorted.orderBy("snapshots.number", direction).orderBy("running.id", direction);
}

async function readDeployments(db: Database, places: ReturnType<typeof ordered>): Promise<Deployment[]> {
  const rows = await db
    .selectFrom(places.as("place"))
    .selectAll("place")
    .select(({ selectFrom }) =>
      selectFrom("running_intervals as earlier")
        .select("earlier.since")
        .whereRef("earlier.fingerprint", "=", "place.fingerprint")
        .whereRef("earlier.environment_id", "=", "place.environment_id")
        .whereRef("earlier.since", "<", "place.since")
        .where(({ eb, lit }) => eb("earlier.is_deployment", "=", lit(1)))
        .orderBy("earlier.since", "desc")
        .limit(1)
        .as("previous_start"),
    )
    .execute();
  return rows.map((row) => ({
    id: row.id,
    environmentId: row.environment_id,
    fingerprint: row.fingerprint,
    number: row.since,
    deployedAt: row.created_at,
    isCompliant: row.compliant === null ? null : row.compliant === 1,
    isInitial: row.since === 1,
    previousStart: row.previous_start,
  }));
}

const DAY = 86_400;

/**
 * The deployments that count for a frequency: not what already ran when the reports began, and of a job's runs not those
 * within 24 hours of the one before. A rollback counts.
 */
export async function frequentDeployments<Found extends Deployment>(
  db: Database,
  deployments: readonly Found[],
): Promise<Found[]> {
  const repeated = deployments.filter(({ previousStart }) => previousStart !== null);
  const runs = await jobRunsAmong(
    db,
    repeated.map(({ id }) => id),
  );
  const starts = await startsBefore(
    db,
    repeated.filter(({ id }) => runs.has(id)),
  );
  const isRun = ({ id, deployedAt }: Deployment) => deployedAt - (starts.get(id) ?? -DAY) < DAY;
  return deployments.filter((deployment) => !deployment.isInitial && !isRun(deployment));
}

/** Intervals whose instances are runs of a job, on Kubernetes or Cloud Run. */
async function jobRunsAmong(db: Database, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("running_intervals")
    .select(["id", "instances"])
    .where("id", "in", listedNumbers(ids))
    .execute();
  const isJob = ({ instances }: { instances: string }) => {
    const [first]: readonly Instance[] = JSON.parse(instances);
    return first?.kind === "job" || (first?.owners ?? []).some((owner) => Object(owner).kind === "Job");
  };
  return new Set(rows.filter(isJob).map(({ id }) => id));
}

/** Times of the previous starts by the id of the deployment, in Unix seconds. */
async function startsBefore(
  db: Database,
  deployments: readonly Deployment[],
): Promise<ReadonlyMap<number, number>> {
  if (deployments.length === 0) return new Map();
  const rows = await db
    .selectFrom("snapshots")
    .select(["environment_id", "number", "created_at"])
    .where("environment_id", "in", listed([...new Set(deployments.map((each) => each.environmentId))]))
    .where(
      "number",
      "in",
      listedNumbers([...new Set(deployments.flatMap((each) => each.previousStart ?? []))]),
    )
    .execute();
  const times = new Map(rows.map((row) => [`${row.environment_id} ${row.number}`, row.created_at]));
  return new Map(
    deployments.flatMap(({ id, environmentId, previousStart }) => {
      const time = times.get(`${environmentId} ${previousStart}`);
      return time === undefined ? [] : [[id, time] as const];
    }),
  );
}

/** The end of each deployment by its id, in Unix seconds. Absent while the artifact runs. */
export async function endsOf(
  db: Database,
  deployments: readonly Deployment[],
): Promise<ReadonlyMap<number, number>> {
  const oldest = Map.groupBy(deployments, placeOf);
  if (oldest.size === 0) return new Map();
  const rows = await db
    .selectFrom("running_intervals as running")
    .leftJoin("snapshots as next", (join) =>
      join
        .onRef("next.environment_id", "=", "running.environment_id")
        .onRef("next.number", "=", "running.until"),
    )
    .select(["running.environment_id", "running.fingerprint", "running.since", "running.until"])
    .select("next.created_at as stopped_at")
    .where("running.fingerprint", "in", listed([...new Set(deployments.map((each) => each.fingerprint))]))
    .where(
      "running.environment_id",
      "in",
      listed([...new Set(deployments.map((each) => each.environmentId))]),
    )
    .where("running.since", ">=", Math.min(...deployments.map(({ number }) => number)))
    .orderBy("running.since")
    .execute();
  const intervals = valuesByKey(rows, (row) => [
    placeOf({ environmentId: row.environment_id, fingerprint: row.fingerprint }),
    row,
  ]);
  return new Map(
    deployments.flatMap((deployment) => {
      const end = endAfter(deployment.number, intervals.get(placeOf(deployment)) ?? []);
      return end === null ? [] : [[deployment.id, end] as const];
    }),
  );
}

interface Interval {
  since: number;
  until: number | null;
  stopped_at: number | null;
}

/** Follows intervals that touch or overlap, because an artifact runs on under any of its names. */
function endAfter(number: number, intervals: readonly Interval[]): number | null {
  let last: Interval | undefined;
  for (const interval of intervals) {
    if (interval.since < number) continue;
    if (last?.until && interval.since > last.until) break;
    if (last === undefined || isLater(interval, last)) last = interval;
  }
  return last?.stopped_at ?? null;
}

function isLater({ until }: Interval, other: Interval): boolean {
  return other.until !== null && (until === null || until > other.until);
}

function placeOf({ environmentId, fingerprint }: Pick<Deployment, "environmentId" | "fingerprint">): string {
  return `${environmentId} ${fingerprint}`;
}
