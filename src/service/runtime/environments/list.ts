import type { ExpressionBuilder } from "kysely";
import { commonState } from "../../environments/common-state.ts";
import { hasTag, type Tags, tagsOf } from "../../evidence/tag-records.ts";
import type { Slice } from "../../kernel/paging.ts";
import { countRows, ROW_COUNT } from "../../store/count-rows.ts";
import { holdsText, isAmong, listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { asBoolean } from "../running/intervals.ts";
import { policyNamesOf } from "./attached-policies.ts";

/** An environment with what is known of it elsewhere. */
export interface EnvironmentRecord {
  row: Tables["environments"];
  /** Null without policies, and before the first report. */
  state: boolean | null;
  lastReportedAt: number | null;
  lastChangedAt: number | null;
  tags: Tags;
  policies: readonly string[];
  /** Of a logical environment. */
  members: readonly string[];
}

export interface EnvironmentFilter {
  /** Only these. */
  names?: readonly string[] | undefined;
  /** Part of the name. */
  name?: string | undefined;
  types?: readonly string[] | undefined;
  /** Each `key:value` or `key`. */
  tags?: readonly string[] | undefined;
}

export interface EnvironmentOrder {
  sort: "name" | "last_modified_at" | "last_changed_at";
  direction: "asc" | "desc";
}

/** The environments that pass a filter and are not archived, all of them or a slice; and how many there are in all. */
export async function listEnvironments(
  db: Database,
  orgId: string,
  filter: EnvironmentFilter,
  { sort, direction, slice }: EnvironmentOrder & { slice?: Slice | undefined },
): Promise<{ total: number; environments: EnvironmentRecord[] }> {
  let matching = db
    .selectFrom("environments")
    .where("environments.org_id", "=", orgId)
    .where("environments.archived_at", "is", null)
    .where(isAmong("environments.name", filter.names));
  if (filter.name !== undefined) matching = matching.where(holdsText("environments.name", filter.name));
  if (filter.types) matching = matching.where("environments.type", "in", listed(filter.types));
  for (const tag of filter.tags ?? []) matching = matching.where(hasTag("environment", tag));
  const total = await countRows(matching.select(ROW_COUNT));
  let sorted = matching.selectAll("environments");
  if (sort === "last_modified_at") sorted = sorted.orderBy("environments.last_modified_at", direction);
  if (sort === "last_changed_at") sorted = sorted.orderBy(lastChange, direction);
  sorted = sorted.orderBy("environments.name", direction);
  if (slice) sorted = sorted.limit(slice.limit).offset(slice.offset);
  return { total, environments: await environmentRecords(db, await sorted.execute()) };
}

/** When the latest snapshot was made, of a logical environment the latest of its members; 0 without any. */
function lastChange(eb: ExpressionBuilder<Tables, "environments">) {
  return eb.fn.coalesce(
    eb
      .selectFrom("snapshots")
      .select("snapshots.created_at")
      .whereRef("snapshots.id", "=", "environments.latest_snapshot_id"),
    eb
      .selectFrom("environment_members as part")
      .innerJoin("environments as member", "member.id", "part.member_id")
      .innerJoin("snapshots as newest", "newest.id", "member.latest_snapshot_id")
      .select(({ fn }) => fn.max("newest.created_at").as("latest"))
      .where("member.archived_at", "is", null)
      .whereRef("part.environment_id", "=", "environments.id"),
    eb.val(0),
  );
}

/** Completes environments, however many there are, with a handful of queries. */
export async function environmentRecords(
  db: Database,
  rows: readonly Tables["environments"][],
): Promise<EnvironmentRecord[]> {
  const ids = rows.map(({ id }) => id);
  const tags = await tagsOf(db, "environment", ids);
  const policies = await policyNamesOf(db, ids);
  const members = await membersOf(
    db,
    rows.filter(({ type }) => type === "logical").map(({ id }) => id),
  );
  const parts = [...members.values()].flat();
  const latest = await latestSnapshots(db, [...rows, ...parts]);
  return rows.map((row) => {
    const included = members.get(row.id) ?? [];
    const physical = row.type === "logical" ? included : [row];
    const snapshots = physical.map(({ latest_snapshot_id: id }) =>
      id === null ? undefined : latest.get(id),
    );
    return {
      row,
      state: commonState(snapshots.map((snapshot) => snapshot?.state ?? null)),
      lastReportedAt: latestOf(physical.map((each) => each.last_reported_at)),
      lastChangedAt: latestOf(snapshots.map((snapshot) => snapshot?.createdAt ?? null)),
      tags: tags.get(row.id) ?? {},
      policies: policies.get(row.id) ?? [],
      members: included.map(({ name }) => name),
    };
  });
}

function latestOf(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}

async function membersOf(db: Database, logicalIds: readonly string[]) {
  if (logicalIds.length === 0) return new Map<string, Tables["environments"][]>();
  const rows = await db
    .selectFrom("environment_members")
    .innerJoin("environments", "environments.id", "environment_members.member_id")
    .selectAll("environments")
    .select("environment_members.environment_id")
    .where("environment_members.environment_id", "in", listed(logicalIds))
    .where("environments.archived_at", "is", null)
    .orderBy("environments.name")
    .execute();
  return Map.groupBy(rows, ({ environment_id }) => environment_id);
}

async function latestSnapshots(db: Database, environments: readonly Tables["environments"][]) {
  const ids = environments.map(({ latest_snapshot_id }) => latest_snapshot_id).filter((id) => id !== null);
  if (ids.length === 0) return new Map<string, { state: boolean | null; createdAt: number }>();
  const rows = await db
    .selectFrom("snapshots")
    .select(["id", "state", "created_at"])
    .where("id", "in", listed(ids))
    .execute();
  return new Map(
    rows.map(({ id, state, created_at }) => [id, { state: asBoolean(state), createdAt: created_at }]),
  );
}
