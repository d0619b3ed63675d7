import type { ExpressionBuilder, SelectQueryBuilder } from "kysely";
import { countRows, ROW_COUNT } from "../../store/count-rows.ts";
import { listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { physicalEnvironments } from "../environments/records.ts";
import type { SnapshotExpression } from "./expression.ts";
import type { SnapshotRow } from "./records.ts";

/**
 * The snapshots of an environment in the order in which they were made, counted from 1. A logical environment has
 * no snapshots of its own: each that one of its members makes is a new moment of the whole.
 */
export interface History {
  environment: Tables["environments"];
  logical: boolean;
  /** The physical environments whose snapshots these are. */
  parts: readonly Tables["environments"][];
  /** How many snapshots there are. */
  length: number;
}

/** A snapshot with its place in a history. */
export interface HistoryEntry {
  /** From 1. */
  index: number;
  snapshot: SnapshotRow;
}

export async function historyOf(db: Database, environment: Tables["environments"]): Promise<History> {
  const logical = environment.type === "logical";
  const parts = await physicalEnvironments(db, environment);
  const { length } = await within(db.selectFrom("snapshots"), parts)
    .select(({ fn }) => (logical ? fn.countAll<number>() : fn.max<number>("number")).as("length"))
    .executeTakeFirstOrThrow();
  return { environment, logical, parts, length: Number(length ?? 0) };
}

type SnapshotQuery<O> = SelectQueryBuilder<Tables, "snapshots", O>;

/** The snapshots of one environment are found by equality, so that the index gives their order as well. */
function within<O>(query: SnapshotQuery<O>, parts: History["parts"]): SnapshotQuery<O> {
  const [only, ...others] = parts.map(({ id }) => id);
  if (only === undefined) return query.where("snapshots.id", "=", "");
  return others.length === 0
    ? query.where("snapshots.environment_id", "=", only)
    : query.where("snapshots.environment_id", "in", listed([only, ...others]));
}

/** The place of the snapshot that an expression means. It may be outside of the history. */
export async function indexOf(
  db: Database,
  history: History,
  expression: SnapshotExpression,
): Promise<number> {
  switch (expression.kind) {
    case "number":
      return expression.number < 0 ? history.length + 1 + expression.number : expression.number;
    case "behind":
      return history.length - expression.count;
    case "time":
      return indexAt(db, history, expression.time);
  }
}

/** The place of the snapshot that held at a time; 0 when there was none yet. */
async function indexAt(db: Database, { logical, parts }: History, time: number): Promise<number> {
  const earlier = within(db.selectFrom("snapshots"), parts).where("snapshots.created_at", "<=", time);
  if (logical) return countRows(earlier.select(ROW_COUNT));
  const latest = await earlier
    .select("number")
    .orderBy("created_at", "desc")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return latest?.number ?? 0;
}

/** The entries from one place to another, both among them, oldest first. */
export async function entriesBetween(
  db: Database,
  { logical, parts }: History,
  first: number,
  last: number,
): Promise<HistoryEntry[]> {
  const start = Math.max(1, first);
  if (last < start) return [];
  const all = within(db.selectFrom("snapshots"), parts);
  if (!logical) {
    const rows = await all
      .selectAll("snapshots")
      .where("number", ">=", start)
      .where("number", "<=", last)
      .orderBy("number")
      .execute();
    return rows.map((snapshot) => ({ index: snapshot.number, snapshot }));
  }
  // Sorted by what the index holds; only then are the snapshots themselves read.
  const places = await all
    .select("snapshots.id")
    .orderBy("created_at")
    .orderBy("environment_id")
    .orderBy("number")
    .limit(last - start + 1)
    .offset(start - 1)
    .execute();
  const snapshots = await snapshotsById(
    db,
    places.map(({ id }) => id),
  );
  return places.flatMap(({ id }, i) => {
    const snapshot = snapshots.get(id);
    return snapshot ? [{ index: start + i, snapshot }] : [];
  });
}

async function snapshotsById(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SnapshotRow>> {
  const found = new Map<string, SnapshotRow>();
  const rows = await db.selectFrom("snapshots").selectAll().where("id", "in", listed(ids)).execute();
  for (const row of rows) found.set(row.id, row);
  return found;
}

/** The snapshots that made up the whole when an entry was new: of each part the latest. */
export async function snapshotsAt(
  db: Database,
  { logical, parts }: History,
  { snapshot }: HistoryEntry,
): Promise<ReadonlyMap<string, SnapshotRow>> {
  if (!logical) return new Map([[snapshot.environment_id, snapshot]]);
  const rows = await db
    .selectFrom("environments")
    .innerJoin("snapshots", (join) =>
      join.on(({ eb, ref }) => eb(ref("snapshots.id"), "=", latestOfPart(eb, snapshot))),
    )
    .selectAll("snapshots")
    .where("environments.id", "in", listed(parts.map(({ id }) => id)))
    .execute();
  return new Map(rows.map((row) => [row.environment_id, row]));
}

function latestOfPart(eb: ExpressionBuilder<Tables, "environments">, until: SnapshotRow) {
  return eb
    .selectFrom("snapshots as own")
    .select("own.id")
    .whereRef("own.environment_id", "=", "environments.id")
    .where("own.created_at", "<=", until.created_at)
    .where((own) =>
      own.or([
        own("own.created_at", "<", until.created_at),
        own("own.environment_id", "<", until.environment_id),
        own.and([
          own("own.environment_id", "=", until.environment_id),
          own("own.number", "<=", until.number),
        ]),
      ]),
    )
    .orderBy("own.created_at", "desc")
    .orderBy("own.number", "desc")
    .limit(1);
}
