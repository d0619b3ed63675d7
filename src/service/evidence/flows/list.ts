import type { ExpressionBuilder } from "kysely";
import type { AnswerOf } from "../../../api/operation.ts";
import { type getFlow, visibility } from "../../../api/resources/flows.ts";
import type { FilterOf, Slice } from "../../kernel/paging.ts";
import { namesIn, type Scope } from "../../kernel/scope.ts";
import {
  containsExactText,
  containsText,
  countRows,
  isAmong,
  listed,
  listedJson,
  ROW_COUNT,
} from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { hasTag, tagsOf } from "../tag-records.ts";

export interface FlowFilter extends FilterOf<"flows"> {
  names?: readonly string[] | undefined;
  search?: string | undefined;
  caseSensitive: boolean;
  /** `key` or `key:value`. */
  tags?: readonly string[] | undefined;
  sort: "name" | "latest_activity";
  direction: "asc" | "desc";
}

export type FlowRow = Awaited<ReturnType<typeof listFlows>>[number];

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

/** Time of the last event in any trail; 0 without trails. */
function latestActivity(eb: ExpressionBuilder<Tables, "flows">) {
  const latest = eb
    .selectFrom("trails")
    .select("trails.last_modified_at")
    .whereRef("trails.flow_id", "=", "flows.id")
    .orderBy("trails.modified_minute", "desc")
    .orderBy("trails.last_modified_at", "desc")
    .limit(eb.lit(1));
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
  return query.where(caseSensitive ? containsExactText("name", search) : containsText("name", search));
}

const selectLatestTrails = prepared((db, given: Given<{ flowIds: string }>) =>
  db
    .selectFrom("flows")
    .innerJoin("trails", (join) =>
      join.on(({ eb, lit, ref, selectFrom }) =>
        eb(
          ref("trails.id"),
          "=",
          selectFrom("trails as latest")
            .select("latest.id")
            .whereRef("latest.flow_id", "=", "flows.id")
            .orderBy("latest.modified_minute", "desc")
            .orderBy("latest.last_modified_at", "desc")
            .orderBy("latest.id", "desc")
            // PostgreSQL plans for many rows if the number is a parameter.
            .limit(lit(1)),
        ),
      ),
    )
    .select(["flows.id as flow_id", "trails.compliance_state", "trails.last_modified_at"])
    .where("flows.id", "in", listedJson(given("flowIds"))),
);

/** The most recently changed trail of each flow, by flow. */
export async function latestTrailsOf(db: Database, flowIds: readonly string[]) {
  const rows = await selectLatestTrails(db, { flowIds: JSON.stringify(flowIds) });
  return new Map(rows.map(({ flow_id, ...trail }) => [flow_id, trail]));
}

type FlowView = AnswerOf<typeof getFlow>;

const EMPTY_TEMPLATE_TEXT = "version: 1";

/** Uses a fixed number of queries for each thousand flows. */
export async function flowViews(db: Database, org: string, flows: readonly FlowRow[]): Promise<FlowView[]> {
  const ids = idsOf(flows);
  const tags = await tagsOf(db, "flow", ids);
  const latest = await latestTrailsOf(db, ids);
  return flows.map((flow) => {
    const trail = latest.get(flow.id);
    return {
      id: flow.id,
      name: flow.name,
      description: flow.description,
      visibility: visibility.parse(flow.visibility),
      org,
      template: templateAsWritten(flow.template_source),
      repoUrl: flow.repo_url,
      tags: { ...tags.get(flow.id) },
      latestActivityAt: trail?.last_modified_at ?? null,
      latestState: trail?.compliance_state ?? null,
      archived: flow.archived_at !== null,
    };
  });
}

/** Parses YAML text, or the list of names of a legacy flow. No YAML template starts as a list. */
function templateAsWritten(source: string | null): unknown {
  if (source === null) return EMPTY_TEMPLATE_TEXT;
  return source.startsWith("[") ? JSON.parse(source) : source;
}

/** Ids of the flows in a scope, by their current names. Undefined for all. */
export async function flowIdsInScope(db: Database, orgId: string, scope: Scope) {
  const names = namesIn(scope, "flows");
  if (names === undefined) return undefined;
  const flows = await db
    .selectFrom("flows")
    .select("id")
    .where("org_id", "=", orgId)
    .where("name", "in", listed(names))
    .execute();
  return idsOf(flows);
}

/** Ids of the flows that have all of the tags, each `key:value` or `key`. */
export async function flowIdsWithTags(
  db: Database,
  orgId: string,
  tags: readonly string[],
): Promise<string[]> {
  let query = db.selectFrom("flows").select("id").where("org_id", "=", orgId);
  for (const tag of tags) query = query.where(hasTag("flow", tag));
  return idsOf(await query.execute());
}
