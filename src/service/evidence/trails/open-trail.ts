import { flowName, trailName } from "../../../api/names.ts";
import type { SaidOfTrail } from "../../events/projections/flow-content.ts";
import { type Rule, selectRules } from "../../events/projections/rules.ts";
import { EMPTY_TEMPLATE } from "../../judging/compliance/template.ts";
import { verdictOfNewTrail } from "../../judging/compliance/trail-verdict.ts";
import { invalidInput } from "../../kernel/errors.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { RequestContext } from "../../kernel/request-context.ts";
import { validate } from "../../kernel/validate.ts";
import { organizationOf } from "../../people/accounts/organizations.ts";
import { rowsAsText } from "../../store/dialect.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import { recordsSelection, type TrailRecords, trailRecords } from "../compliance/trail-records.ts";
import { type Flow, findFlow, flowOf, putFlow, refuseArchived, requireFlow } from "../flows/records.ts";
import { putTrail, unknownTrail } from "./records.ts";

/** A trail that something is about to be added to. */
export interface OpenTrail {
  flow: Flow;
  trail: TrailRecords;
  /** Whether it begins with what is added. */
  isNew: boolean;
  isFlowNew: boolean;
  said: SaidOfTrail;
}

/** A flow by its name, or a former one, and the trail in it. */
export interface Place {
  flow: Flow;
  trail: TrailRecords | undefined;
  said: SaidOfTrail;
  /** Who is told of what happens in flows. */
  rules: readonly Rule[];
}

interface Names {
  flowName: string;
  trailName: string;
}

/**
 * The trail of that name, to add to it. A flow or trail that does not exist is made: evidence may come before `begin`.
 * The flow then asks for nothing, and the trail for what its flow asks for.
 *
 * @param found what {@link findPlace} found, when it was asked before
 * @throws NotFound when the flow is archived, Invalid for a name that nothing can be made under
 */
export async function openTrail(
  db: Database,
  names: Names,
  requestContext: RequestContext,
  found?: Place,
): Promise<OpenTrail> {
  const { orgId } = requestContext;
  const named = found ?? (await findPlace(db, orgId, names));
  const flow = named?.flow ?? (await createFlow(db, names.flowName, requestContext));
  if (flow.archivedAt !== null) refuseArchived(flow, (await organizationOf(db, orgId)).name);
  const isFlowNew = named === undefined;
  if (named?.trail) return { flow, trail: named.trail, isNew: false, isFlowNew, said: named.said };
  requireName("trail_name", trailName, names.trailName);
  const { template } = flow;
  const { after } = await putTrail(db, flow, { name: names.trailName }, requestContext);
  const verdict = verdictOfNewTrail(template);
  const trail = { id: after.id, template, verdict, artifacts: [], attestations: [] };
  return { flow, trail, isNew: true, isFlowNew, said: { gitCommitInfo: null, originUrl: null } };
}

/**
 * The trail of that name, to add to it.
 *
 * @param found what {@link findPlace} found, when it was asked before
 * @throws NotFound when there is none, or its flow is archived
 */
export async function requireOpenTrail(
  db: Database,
  org: Organization,
  names: Names,
  found?: Place,
): Promise<OpenTrail> {
  const place = found ?? (await findPlace(db, org.id, names));
  const flow = place?.flow ?? (await requireFlow(db, org, names.flowName));
  if (!place?.trail) throw unknownTrail(org.name, flow.name, names.trailName);
  const { trail, said } = place;
  return { flow: refuseArchived(flow, org.name), trail, isNew: false, isFlowNew: false, said };
}

interface PlaceNames extends Names {
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
    .select(["flows.id", "flows.name", "flows.template", "flows.template_source", "flows.archived_at"])
    .select(["trails.id as trail_id", "trails.template as trail_template"])
    .select(["trails.compliance_state", "trails.compliance_reason"])
    .select(["trails.git_commit_info", "trails.origin_url"])
    .select([artifacts.as("artifacts"), attestations.as("attestations")])
    .select(rules.as("rules"))
    .where("flows.org_id", "=", given("orgId"))
    .where("flows.name", "=", given("flowName"));
});

/** Where something may be added, as it is before. */
export async function findPlace(
  db: Database,
  orgId: string,
  { flowName, trailName }: Names,
): Promise<Place | undefined> {
  const [row] = await placeRow(db, { orgId, flowName, trailName, ruleType: "flow" });
  if (!row) {
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
    said: { gitCommitInfo: row.git_commit_info, originUrl: row.origin_url },
    rules: rules === "[]" ? [] : JSON.parse(rules),
  };
}

/** Creates a flow that requires nothing. */
async function createFlow(db: Database, name: string, { orgId, now }: RequestContext): Promise<Flow> {
  requireName("flow_name", flowName, name);
  const template = { template: EMPTY_TEMPLATE, source: null };
  const fields = { name, description: "", visibility: "private", template };
  const { after } = await putFlow(db, orgId, fields, now);
  return { id: after.id, name, template: EMPTY_TEMPLATE, templateSource: null, archivedAt: null };
}

/** A name in a path is checked when something is about to be made under it. */
function requireName(field: string, pattern: typeof flowName, name: string): void {
  const result = validate(pattern, name, { root: field });
  if ("errors" in result) throw invalidInput(result.errors);
}
