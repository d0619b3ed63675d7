import type { ExpressionBuilder, SelectQueryBuilder } from "kysely";
import type { Organization } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import { countRows, listed, ROW_COUNT } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { physicalEnvironments, requireEnvironment } from "../environments/records.ts";
import type { SnapshotExpression } from "./expression.ts";
import type { SnapshotRow } from "./records.ts";

/**
 * Snapshots of an environment in order, counted from 1. In a logical environment each snapshot of a member is an
 * entry.
 */
export interface History {
  environment: Tables["environments"];
  logical: boolean;
  /** The environment itself, or the members. */
  parts: readonly Tables["environments"][];
  length: number;
}

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

/** With one environment, equality lets the index give the order. */
function within<O>(query: SnapshotQuery<O>, parts: History["parts"]): SnapshotQuery<O> {
  const [only, ...others] = idsOf(parts);
  if (only === undefined) return query.where("snapshots.id", "=", "");
  return others.length === 0
    ? query.where("snapshots.environment_id", "=", only)
    : query.where("snapshots.environment_id", "in", listed([only, ...others]));
}

/** Index of a snapshot, which may be outside the history. */
export async function indexOf(db: Database, history: History, expression: SnapshotExpression) {
  switch (expression.kind) {
    case "number":
      return expression.number < 0 ? history.length + 1 + expression.number : expression.number;
    case "behind":
      return history.length - expression.count;
    case "time":
      return indexAt(db, history, expression.time);
  }
}

/** 0 before the first snapshot. */
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

/** Entries from `first` to `last`, inclusive, oldest first. */
export async function entriesBetween(db: Database, { logical, parts }: History, first: number, last: number) {
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
  // Sorts by the index before it reads snapshots.
  const places = await all
    .select("snapshots.id")
    .orderBy("created_at")
    .orderBy("environment_id")
    .orderBy("number")
    .limit(last - start + 1)
    .offset(start - 1)
    .execute();
  const snapshots = await snapshotsById(db, idsOf(places));
  return places.flatMap(({ id }, i) => {
    const snapshot = snapshots.get(id);
    return snapshot ? [{ index: start + i, snapshot }] : [];
  });
}

async function snapshotsById(db: Database, ids: readonly string[]) {
  const found = new Map<string, SnapshotRow>();
  const rows = await db.selectFrom("snapshots").selectAll().where("id", "in", listed(ids)).execute();
  for (const row of rows) found.set(row.id, row);
  return found;
}

/** The latest snapshot of each part at an entry. */
export async function snapshotsAt(db: Database, { logical, parts }: History, { snapshot }: HistoryEntry) {
  if (!logical) return new Map([[snapshot.environment_id, snapshot]]);
  const rows = await db
    .selectFrom("environments")
    .innerJoin("snapshots", (join) =>
      join.on(({ eb, ref }) => eb(ref("snapshots.id"), "=", latestOfPart(eb, snapshot))),
    )
    .selectAll("snapshots")
    .where("environments.id", "in", listed(idsOf(parts)))
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

interface Named {
  environmentName: string;
  expression: SnapshotExpression;
  /** Such as `prod#-1`. */
  shown: string;
}

/** A snapshot with its history and successor. @throws NotFound */
export async function findEntry(
  db: Database,
  org: Organization,
  { environmentName, expression, shown }: Named,
): Promise<{ history: History; entry: HistoryEntry; next: HistoryEntry | undefined }> {
  const environment = await requireEnvironment(db, org, environmentName);
  const history = await historyOf(db, environment);
  const index = await indexOf(db, history, expression);
  const [entry, next] = index < 1 ? [] : await entriesBetween(db, history, index, index + 1);
  if (!entry) {
    throw new NotFound(
      "snapshot.not_found",
      `Org: '${org.name}'. Snapshot '${shown}' resolves to '${environmentName}#${index}'. len(snapshots) == ${history.length}. Indexes are 1-based`,
      {},
      history.length === 0
        ? `Environment '${environmentName}' has no snapshots yet`
        : `Snapshot '${shown}' does not exist: environment '${environmentName}' has the snapshots 1 to ${history.length}`,
    );
  }
  return { history, entry, next };
}
