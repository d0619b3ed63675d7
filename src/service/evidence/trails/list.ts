import type { SelectQueryBuilder } from "kysely";
import type { Organization } from "../../kernel/caller.ts";
import { type FilterOf, fromEnd, type Slice } from "../../kernel/paging.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { countRows, listed, listedJson, ROW_COUNT } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { ComplianceState, Database, Tables } from "../../store/tables.ts";
import { flowIdsWithTags } from "../flows/list.ts";
import type { Flow } from "../flows/records.ts";
import { unknownTrail } from "./records.ts";

export interface TrailFilter extends FilterOf<"trails"> {
  flowId?: string | undefined;
  flowIds?: readonly string[] | undefined;
  /** `key:value` or `key`. */
  flowTag?: string | undefined;
  /** Fingerprint prefix of one of its artifacts. */
  fingerprint?: string | undefined;
  state?: ComplianceState | undefined;
}

export type TrailRow = Awaited<ReturnType<typeof trailsOf>>[number];

/** Newest first. */
export async function listTrails(db: Database, orgId: string, filter: TrailFilter, slice: Slice) {
  return placesOfTrails(db, orgId, await withFlows(db, orgId, filter), slice);
}

/**
 * Trails, newest first, with the total. A query skips all rows before its slice, so the second half is read from the end.
 */
export async function pageOfTrails(db: Database, orgId: string, given: TrailFilter, slice: Slice) {
  const filter = await withFlows(db, orgId, given);
  const total =
    filter.flowIds?.length === 0 ? 0 : await countRows(matchingTrails(db, orgId, filter).select(ROW_COUNT));
  const behind = fromEnd(slice, total);
  const ids =
    behind.offset < slice.offset
      ? (await placesOfTrails(db, orgId, filter, behind, "asc")).reverse()
      : await placesOfTrails(db, orgId, filter, slice);
  return { total, ids };
}

/** Newest first. */
export async function trailsOf(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return byAge(db.selectFrom("trails"), "desc")
    .innerJoin("flows", "flows.id", "trails.flow_id")
    .selectAll("trails")
    .select("flows.name as flow_name")
    .where("trails.id", "in", listed(ids))
    .execute();
}

/** Reads only ids of the skipped trails, which are in the index. */
async function placesOfTrails(
  db: Database,
  orgId: string,
  filter: FlowsFilter,
  { limit, offset }: Slice,
  direction: Direction = "desc",
): Promise<string[]> {
  const { flowIds, fingerprint } = filter;
  if (flowIds?.length === 0) return [];
  const query = (one: FlowsFilter, count: Slice) =>
    byAge(matchingTrails(db, orgId, one), direction)
      .select(["trails.id", "trails.created_at"])
      .limit(count.limit)
      .offset(count.offset)
      .execute();
  if (flowIds === undefined || flowIds.length === 1 || fingerprint !== undefined) {
    return idsOf(await query(filter, { limit, offset }));
  }
  // Reads the first trails of each flow from an index, then selects the first of these.
  const sign = direction === "desc" ? 1 : -1;
  let first: { id: string; created_at: number }[] = [];
  for (const flowId of flowIds) {
    const ofFlow = await query(
      { flowIds: [flowId], state: filter.state },
      { limit: offset + limit, offset: 0 },
    );
    first = [...first, ...ofFlow]
      .sort((a, b) => sign * (b.created_at - a.created_at || (a.id < b.id ? 1 : -1)))
      .slice(0, offset + limit);
  }
  return idsOf(first.slice(offset));
}

type Direction = "asc" | "desc";

function byAge<O>(query: SelectQueryBuilder<Tables, "trails", O>, direction: Direction) {
  return query.orderBy("trails.created_at", direction).orderBy("trails.id", direction);
}

const selectNamed = prepared((db, given: Given<{ flowId: string; name: string }>) =>
  db
    .selectFrom("trails")
    .innerJoin("flows", "flows.id", "trails.flow_id")
    .selectAll("trails")
    .select("flows.name as flow_name")
    .where("trails.flow_id", "=", given("flowId"))
    .where("trails.name", "=", given("name")),
);

/** @throws NotFound */
export async function requireTrailRow(db: Database, org: Organization, flow: Flow, name: string) {
  const [trail] = await selectNamed(db, { flowId: flow.id, name });
  if (!trail) throw unknownTrail(org.name, flow.name, name);
  return trail;
}

interface FlowsFilter extends FilterOf<"trails of flows"> {
  flowIds: readonly string[] | undefined;
  fingerprint?: string | undefined;
  state?: ComplianceState | undefined;
}

async function withFlows(
  db: Database,
  orgId: string,
  { flowId, flowIds, flowTag, fingerprint, state }: TrailFilter,
): Promise<FlowsFilter> {
  const among = [
    ...(flowTag === undefined ? [] : [await flowIdsWithTags(db, orgId, [flowTag])]),
    ...(flowId === undefined ? [] : [[flowId]]),
    ...(flowIds === undefined ? [] : [flowIds]),
  ];
  const [first, ...others] = among;
  return { flowIds: first?.filter((id) => others.every((ids) => ids.includes(id))), fingerprint, state };
}

/** Conditions on the indexed table. A flow implies its organization, and an artifact implies both. */
function matchingTrails(db: Database, orgId: string, { flowIds, fingerprint, state }: FlowsFilter) {
  let trails = db.selectFrom("trails");
  if (state !== undefined) trails = trails.where("trails.compliance_state", "=", state);
  if (fingerprint === undefined) {
    if (flowIds === undefined) return trails.where("trails.org_id", "=", orgId);
    const [only, ...others] = flowIds;
    // With equality, the index also gives the order.
    return only !== undefined && others.length === 0
      ? trails.where("trails.flow_id", "=", only)
      : trails.where("trails.flow_id", "in", listed(flowIds));
  }
  return trails.where("trails.id", "in", (inner) => {
    const reports = inner
      .selectFrom("artifacts")
      .select("artifacts.trail_id")
      .where("artifacts.org_id", "=", orgId)
      .where("artifacts.fingerprint", ">=", fingerprint)
      // Hex digits sort before `g`.
      .where("artifacts.fingerprint", "<", `${fingerprint}g`);
    return flowIds === undefined ? reports : reports.where("artifacts.flow_id", "in", listed(flowIds));
  });
}

const selectRepoIds = prepared((db, given: Given<{ trailIds: string }>) =>
  db
    .selectFrom("trail_repos")
    .selectAll()
    .where("trail_id", "in", listedJson(given("trailIds")))
    .orderBy("trail_id")
    .orderBy("repo_id"),
);

export async function repoIdsOf(db: Database, trailIds: readonly string[]) {
  if (trailIds.length === 0) return new Map<string, string[]>();
  const rows = await selectRepoIds(db, { trailIds: JSON.stringify(trailIds) });
  return valuesByKey(rows, ({ trail_id, repo_id }) => [trail_id, repo_id]);
}
