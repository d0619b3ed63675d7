import {
  type beginTrail,
  type getTrail,
  type listFlowTrails,
  type listTrails,
  MAX_TRAILS,
} from "../../../api/resources/trails.ts";
import { recordChange } from "../../audit-log/record-act.ts";
import { trailStarted } from "../../events/projections/flow-content.ts";
import { raise } from "../../events/projections/raise.ts";
import { rulesOf } from "../../events/projections/rules.ts";
import { templateDigest } from "../../flows/audited.ts";
import { flowIdsInScope } from "../../flows/in-scope.ts";
import { isAllowed } from "../../kernel/access.ts";
import { Forbidden } from "../../kernel/errors.ts";
import type { Organization } from "../../kernel/organization.ts";
import { pagination, sliceOf } from "../../kernel/paging.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Handler } from "../../operation/handler.ts";
import { requestContextOf } from "../../operation/request-context.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { together } from "../../store/together.ts";
import { requireFlow, requireOpenFlow } from "../flows/records.ts";
import { asTemplateErrors, readTemplate } from "../flows/template-upload.ts";
import { eventsOf, pastOf } from "./events.ts";
import { listTrails as findTrails, pageOfTrails, requireTrailRow, trailsOf } from "./list.ts";
import { putTrail } from "./records.ts";
import { type TrailView, trailViews } from "./view.ts";

/** Trails of a list that are read at once. */
const TRAILS_AT_ONCE = 50;

export const handleBeginTrail: Handler<typeof beginTrail> = async (call, context) => {
  const { org, params, body, files } = call;
  // Who attests to a trail does not say what it asks for: that would open the gate.
  if (files.templateFile && !isAllowed(call.caller.role, "write")) {
    throw new Forbidden(
      "Your role may not say what a trail asks for: leave the template out, and the flow's counts",
    );
  }
  const template = await readTemplate(files.templateFile, asTemplateErrors);
  const { flow, created, originHeader } = await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const open = requireOpenFlow(db, org, params.flowName);
    const [found, rules] = await together([open, rulesOf(db, org.id, "flow")]);
    const { before, after, originHeader } = await putTrail(db, found, { ...body, template }, requestContext);
    // What a trail began with is evidence, which it keeps. To ask something else of it later is an act.
    if (before) {
      await recordChange(db, requestContext, {
        act: "trail.template_changed",
        resource: after,
        details: { flow: found.name },
        before: { template_sha256: templateDigest(before) },
        after: { template_sha256: templateDigest(after) },
      });
    } else {
      const raising = { org, deliveries: context.deliveries, now: requestContext.now };
      const place = { org, links: context.links, flowName: found.name, trail: newTrail(after) };
      await raise(db, raising, rules, [trailStarted(place)]);
    }
    return { flow: found, created: !before, originHeader };
  });
  return {
    status: created ? 201 : 200,
    headers: originHeader,
    body: { name: body.name, html_url: context.links.trail(org.name, flow.name, body.name) },
  };
};

export const handleGetTrail: Handler<typeof getTrail> = async ({ org, caller, params }, { store, links }) => {
  const { body, past } = await store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const trail = await requireTrailRow(db, org, flow, params.trailName);
    const [view] = await trailViews(db, [trail], { org: org.name, links });
    if (!view) throw new Error(`Trail '${trail.id}' has no view`);
    return { body: view, past: await pastOf(db, trail.id, caller.scope) };
  });
  return { status: 200, body, streamed: { events: eventsOf(store.read, past) } };
};

export const handleListFlowTrails: Handler<typeof listFlowTrails> = async ({ org, params }, context) =>
  context.store.readTogether(async (db) => {
    const filter = {
      flowId: (await requireFlow(db, org, params.flowName)).id,
      state: params.complianceState,
    };
    const position = { page: params.page, perPage: params.perPage ?? MAX_TRAILS };
    if (params.perPage === undefined) {
      const ids = await findTrails(db, org.id, filter, sliceOf(position));
      if (ids.length > TRAILS_AT_ONCE) {
        return { status: 200, body: [], streamed: trailSlices(ids, org, context) };
      }
      return { status: 200, body: await viewsOf(db, ids, org, context) };
    }
    const { total, ids } = await pageOfTrails(db, org.id, filter, sliceOf(position));
    const { data, streamed } = await pageData(db, ids, org, context);
    return { status: 200, body: { data, pagination: pagination({ ...position, total }) }, ...streamed };
  });

export const handleListTrails: Handler<typeof listTrails> = async ({ org, caller, params }, context) =>
  context.store.readTogether(async (db) => {
    const { flow, flowTag, fingerprint, complianceState: state, ...position } = params;
    const filter = {
      flowIds: await flowIdsInScope(db, org.id, caller.scope),
      flowId: flow === undefined ? undefined : (await requireFlow(db, org, flow)).id,
      flowTag: flowTag === undefined ? undefined : tagOf(flowTag),
      fingerprint,
      state,
    };
    const { total, ids } = await pageOfTrails(db, org.id, filter, sliceOf(position));
    const { data, streamed } = await pageData(db, ids, org, context);
    return { status: 200, body: { data, pagination: pagination({ ...position, total }) }, ...streamed };
  });

/** The trails of a page, all at once or, if there are many, in slices. */
async function pageData(
  db: Database,
  ids: readonly string[],
  org: Organization,
  context: ServiceContext,
): Promise<{ data: TrailView[]; streamed?: { streamed: { data: AsyncIterable<TrailView[]> } } }> {
  if (ids.length <= TRAILS_AT_ONCE) return { data: await viewsOf(db, ids, org, context) };
  return { data: [], streamed: { streamed: { data: trailSlices(ids, org, context) } } };
}

/** Reads the trails of a long list slice by slice, each when the one before was sent. */
async function* trailSlices(
  ids: readonly string[],
  org: Organization,
  context: ServiceContext,
): AsyncGenerator<TrailView[]> {
  const { store, longWork } = context;
  for (let start = 0; start < ids.length; start += TRAILS_AT_ONCE) {
    const slice = ids.slice(start, start + TRAILS_AT_ONCE);
    yield await longWork.do(org.id, () => store.readTogether((db) => viewsOf(db, slice, org, context)));
  }
}

async function viewsOf(
  db: Database,
  ids: readonly string[],
  org: Organization,
  { links }: Pick<ServiceContext, "links">,
): Promise<TrailView[]> {
  return trailViews(db, await trailsOf(db, ids), { org: org.name, links });
}

/** A trail that holds nothing yet. */
function newTrail(row: Tables["trails"]) {
  const verdict = { state: row.compliance_state, reason: row.compliance_reason };
  const records = {
    id: row.id,
    template: JSON.parse(row.template),
    verdict,
    artifacts: [],
    attestations: [],
  };
  return {
    name: row.name,
    records,
    said: { gitCommitInfo: row.git_commit_info, originUrl: row.origin_url },
  };
}

/** `key=value`; the value may hold further signs. */
function tagOf(text: string): { key: string; value: string } {
  const sign = text.indexOf("=");
  return { key: text.slice(0, sign), value: text.slice(sign + 1) };
}
