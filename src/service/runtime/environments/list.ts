import type { ExpressionBuilder } from "kysely";
import type { Environment } from "../../../api/resources/environments.ts";
import { hasTag, type Tags, tagsOf } from "../../evidence/tag-records.ts";
import type { FilterOf, Slice } from "../../kernel/paging.ts";
import { containsText, countRows, isAmong, listed, ROW_COUNT } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { commonState } from "../running/compliance.ts";
import { asBoolean } from "../running/intervals.ts";
import { policyNamesOf } from "./attached-policies.ts";

export interface EnvironmentRecord {
  row: Tables["environments"];
  /** Null without policies or reports. */
  state: boolean | null;
  lastReportedAt: number | null;
  lastChangedAt: number | null;
  tags: Tags;
  policies: readonly string[];
  members: readonly string[];
}

export interface EnvironmentFilter extends FilterOf<"environments"> {
  names?: readonly string[] | undefined;
  /** Part of the name. */
  name?: string | undefined;
  types?: readonly string[] | undefined;
  /** `key:value` or `key`. */
  tags?: readonly string[] | undefined;
}

interface Order {
  sort: "name" | "last_modified_at" | "last_changed_at";
  direction: "asc" | "desc";
  /** Default: all. */
  slice?: Slice | undefined;
}

/** Lists all or a slice of the environments, with the total. Excludes archived ones. */
export async function listEnvironments(
  db: Database,
  orgId: string,
  filter: EnvironmentFilter,
  { sort, direction, slice }: Order,
): Promise<{ total: number; environments: EnvironmentRecord[] }> {
  let matching = db
    .selectFrom("environments")
    .where("environments.org_id", "=", orgId)
    .where("environments.archived_at", "is", null)
    .where(isAmong("environments.name", filter.names));
  if (filter.name !== undefined) matching = matching.where(containsText("environments.name", filter.name));
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

/** Time of the latest snapshot; for a logical environment, of any member; 0 without snapshots. */
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

/** Uses a fixed number of queries. */
export async function environmentRecords(
  db: Database,
  rows: readonly Tables["environments"][],
): Promise<EnvironmentRecord[]> {
  const ids = idsOf(rows);
  const tags = await tagsOf(db, "environment", ids);
  const policies = await policyNamesOf(db, ids);
  const members = await membersOf(db, idsOf(rows.filter(({ type }) => type === "logical")));
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

export function environmentView(
  { row, state, lastReportedAt, lastChangedAt, tags, policies, members }: EnvironmentRecord,
  org: string,
): Environment {
  return {
    org,
    name: row.name,
    type: row.type,
    description: row.description,
    lastModifiedAt: row.last_modified_at,
    lastReportedAt,
    lastChangedAt,
    state,
    // Retired in the interface, but still sent by clients.
    includeScaling: false,
    tags,
    policies: [...policies],
    includedEnvironments: row.type === "logical" ? [...members] : null,
  };
}
