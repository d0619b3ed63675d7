import type { ExpressionBuilder } from "kysely";
import type { Slice } from "../../kernel/paging.ts";
import { countRows, ROW_COUNT } from "../../store/count-rows.ts";
import { holdsExactText, holdsText, isAmong, listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { hasTag } from "../tag-records.ts";

export interface FlowFilter {
  /** Only these. */
  names?: readonly string[] | undefined;
  /** A part of the name. */
  search?: string | undefined;
  caseSensitive: boolean;
  /** Each `key` or `key:value`. */
  tags?: readonly string[] | undefined;
  sort: "name" | "latest_activity";
  direction: "asc" | "desc";
}

export type FlowRow = Awaited<ReturnType<typeof listFlows>>[number];

/** The flows of an organization that are in use and pass a filter, sorted; all of them or a slice. */
export async function listFlows(db: Database, orgId: string, filter: FlowFilter, slice?: Slice) {
  let query = flowsInUse(db, orgId, filter).selectAll("flows");
  if (filter.sort === "latest_activity") query = query.orderBy(latestActivity, filter.direction);
  query = query.orderBy("name", filter.direction);
  if (slice) query = query.limit(slice.limit).offset(slice.offset);
  return query.execute();
}

export async function countFlows(db: Database, orgId: string, filter: FlowFilter): Promise<number> {
  return countRows(flowsInUse(db, orgId, filter).select(ROW_COUNT));
}

export async function flowRow(db: Database, id: string): Promise<FlowRow> {
  return db.selectFrom("flows").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** When something was last added to a trail of the flow; 0 for a flow without trails. */
function latestActivity(eb: ExpressionBuilder<Tables, "flows">) {
  const latest = eb
    .selectFrom("trails")
    .select(({ fn }) => fn.max("trails.last_modified_at").as("latest"))
    .whereRef("trails.flow_id", "=", "flows.id");
  return eb.fn.coalesce(latest, eb.lit(0));
}

function flowsInUse(db: Database, orgId: string, filter: FlowFilter) {
  const { names, search, caseSensitive, tags = [] } = filter;
  let query = db
    .selectFrom("flows")
    .where("org_id", "=", orgId)
    .where("archived_at", "is", null)
    .where(isAmong("name", names));
  for (const tag of tags) query = query.where(hasTag("flow", tag));
  if (search === undefined) return query;
  return query.where(caseSensitive ? holdsExactText("name", search) : holdsText("name", search));
}

type LatestTrail = Pick<Tables["trails"], "compliance_state" | "last_modified_at">;

/** The trail of each flow that something was last added to, by flow. A flow without trails is absent. */
export async function latestTrailsOf(
  db: Database,
  flowIds: readonly string[],
): Promise<ReadonlyMap<string, LatestTrail>> {
  const rows = await db
    .selectFrom("flows")
    .innerJoin("trails", (join) =>
      join.on(({ eb, ref, selectFrom }) =>
        eb(
          ref("trails.id"),
          "=",
          selectFrom("trails as latest")
            .select("latest.id")
            .whereRef("latest.flow_id", "=", "flows.id")
            .orderBy("latest.last_modified_at", "desc")
            .orderBy("latest.id", "desc")
            .limit(1),
        ),
      ),
    )
    .select(["flows.id as flow_id", "trails.compliance_state", "trails.last_modified_at"])
    .where("flows.id", "in", listed(flowIds))
    .execute();
  return new Map(rows.map(({ flow_id, ...trail }) => [flow_id, trail]));
}
