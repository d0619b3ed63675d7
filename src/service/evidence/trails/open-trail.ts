import { flowName, trailName } from "../../../api/names.ts";
import type { TrailSource } from "../../events/projections/flow-content.ts";
import { type Rule, rulesOf, selectRules } from "../../events/projections/rules.ts";
import { EMPTY_TEMPLATE } from "../../judging/compliance/template.ts";
import type { ActContext, Organization, RequestContext } from "../../kernel/caller.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { validate } from "../../kernel/validate.ts";
import type { RequestIdentity } from "../../operation/idempotency.ts";
import { rowsAsText } from "../../store/dialect.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import { requireAlone } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import { recordsSelection, type TrailRecords, trailRecords } from "../compliance/trail-records.ts";
import { type Flow, findFlow, flowOf, putFlow, refuseArchived, requireFlow } from "../flows/records.ts";
import type { DocumentTexts } from "../search/index/documents.ts";
import { beginTrail, unknownTrail } from "./records.ts";

export interface OpenTrail {
  flow: Flow;
  trail: TrailRecords;
  document: DocumentTexts;
  isFlowNew: boolean;
  source: TrailSource;
  rules: readonly Rule[];
}

/** By current or former flow name. */
export interface Place {
  flow: Flow;
  trail: TrailRecords | undefined;
  document: DocumentTexts;
  source: TrailSource;
  rules: readonly Rule[];
}

export interface Names {
  flowName: string;
  trailName: string;
  /** Description of the flow, if it is created. */
  flowDescription?: string | undefined;
  /** Description of the trail, if it is created. */
  trailDescription?: string | undefined;
}

/**
 * Returns the trail. Creates flow and trail if needed, because evidence may arrive before `begin`. A new flow requires
 * nothing. A new trail has the requirements of its flow.
 *
 * @param found from {@link findPlace}
 * @throws NotFound for an archived flow, Invalid for an invalid name
 */
export async function openTrail(
  db: Database,
  org: Organization,
  names: Names,
  by: ActContext,
  found: Place | undefined,
): Promise<OpenTrail> {
  const flow = found?.flow ?? (await createFlow(db, names, by));
  refuseArchived(flow, org.name);
  const rules = found?.rules ?? (await rulesOf(db, org.id, "flow"));
  const isFlowNew = found === undefined;
  if (found?.trail) return { ...found, flow, trail: found.trail, isFlowNew };
  requireName("trail_name", trailName, names.trailName);
  const fields = { name: names.trailName, description: names.trailDescription };
  const { trail, document } = await beginTrail(db, flow, fields, by, rules);
  return { flow, trail, document, isFlowNew, source: { gitCommitInfo: null, originUrl: null }, rules };
}

/**
 * @param found from {@link findPlace}
 * @throws NotFound for a missing trail or an archived flow
 */
export async function requireOpenTrail(
  db: Database,
  org: Organization,
  names: Names,
  found: Place | undefined,
): Promise<OpenTrail> {
  const flow = found?.flow ?? (await requireFlow(db, org, names.flowName));
  if (!found?.trail) throw unknownTrail(org.name, flow.name, names.trailName);
  return { ...found, flow: refuseArchived(flow, org.name), trail: found.trail, isFlowNew: false };
}

interface PlaceNames extends Pick<Names, "flowName" | "trailName"> {
  orgId: string;
  ruleType: "flow";
}

const placeRow = prepared((db, given: Given<PlaceNames>) => {
  const { artifacts, attestations } = recordsSelection(db);
  const rules = rowsAsText(selectRules(db, { orgId: given("orgId"), type: given("ruleType") }));
  return db
    .selectFrom("flows")
    .leftJoin("trails", (join) =>
      join.onRef("trails.flow_id", "=", "flows.id").on("trails.name", "=", given("trailName")),
    )
    .leftJoin("search_documents as document", "document.record_id", "trails.id")
    .select(["flows.id", "flows.name", "flows.template", "flows.template_source", "flows.archived_at"])
    .select(["trails.id as trail_id", "trails.template as trail_template"])
    .select(["trails.compliance_state", "trails.compliance_reason"])
    .select(["trails.git_commit_info", "trails.origin_url"])
    .select([artifacts.as("artifacts"), attestations.as("attestations")])
    .select(rules.as("rules"))
    .select(["document.own", "document.texts"])
    .where("flows.org_id", "=", given("orgId"))
    .where("flows.name", "=", given("flowName"));
});

export async function findPlace(
  db: Database,
  orgId: string,
  { flowName, trailName }: Names,
): Promise<Place | undefined> {
  const [row] = await placeRow(db, { orgId, flowName, trailName, ruleType: "flow" });
  if (!row) {
    // The keys of the write name the trail by the given name of its flow.
    requireAlone(db);
    const renamed = await findFlow(db, orgId, flowName);
    return renamed && findPlace(db, orgId, { flowName: renamed.name, trailName });
  }
  const { trail_id, trail_template, compliance_state, rules, ...rest } = row;
  const exists = trail_id !== null && trail_template !== null && compliance_state !== null;
  return {
    flow: flowOf(row),
    trail: exists
      ? trailRecords({ ...rest, id: trail_id, template: trail_template, compliance_state })
      : undefined,
    document: { own: row.own ?? "[]", texts: row.texts ?? "[]" },
    source: { gitCommitInfo: row.git_commit_info, originUrl: row.origin_url },
    rules: rules === "[]" ? [] : JSON.parse(rules),
  };
}

/** Keys of a write to one trail. Equal requests have the same path, so the trail's key covers them. */
export function trailKeys(
  { id }: Organization,
  { flowName, trailName }: Names,
  { apiKeyId, idempotencyKey }: RequestIdentity,
): string[] {
  const trail = JSON.stringify([id, flowName, trailName]);
  return idempotencyKey === undefined ? [trail] : [trail, JSON.stringify([apiKeyId, idempotencyKey])];
}

async function createFlow(
  db: Database,
  { flowName: name, flowDescription: description = "" }: Names,
  { orgId, now }: RequestContext,
): Promise<Flow> {
  requireName("flow_name", flowName, name);
  const template = { template: EMPTY_TEMPLATE, source: null };
  const fields = { name, description, visibility: "private", template };
  const { after } = await putFlow(db, orgId, fields, now);
  return { id: after.id, name, template: EMPTY_TEMPLATE, templateSource: null, archivedAt: null };
}

/** Names in paths are checked only for creation. */
function requireName(field: string, pattern: typeof flowName, name: string): void {
  const result = validate(pattern, name, { root: field });
  if ("errors" in result) throw invalidInput(result.errors);
}
