import { MAX_TRAILS } from "../../../api/resources/trails.ts";
import { isAllowed } from "../../kernel/access.ts";
import type { Organization } from "../../kernel/caller.ts";
import { Forbidden } from "../../kernel/errors.ts";
import { pagination, sliceOf } from "../../kernel/paging.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Handler, requestContextOf } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { flowIdsInScope } from "../flows/list.ts";
import { requireFlow, requireOpenFlow } from "../flows/records.ts";
import { asTemplateErrors, readTemplate } from "../flows/template-upload.ts";
import { eventsOf, pastOf } from "./events.ts";
import { listTrails as findTrails, pageOfTrails, requireTrailRow, trailsOf } from "./list.ts";
import { putTrail } from "./records.ts";
import { type TrailView, trailViews } from "./view.ts";

const TRAILS_AT_ONCE = 50;

export const beginTrail: Handler<"beginTrail"> = async (call, context) => {
  const { org, params, body, files } = call;
  // A caller that only attests must not change the template, because that would open the gate.
  if (files.templateFile && !isAllowed(call.caller.role, "write")) {
    throw new Forbidden(
      "access.denied",
      "Your role may not set the template of a trail: omit the template to use the flow's",
    );
  }
  const template = await readTemplate(files.templateFile, asTemplateErrors);
  const { flow, created, originHeader } = await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const flow = await requireOpenFlow(db, org, params.flowName);
    const { isNew, originHeader } = await putTrail(db, flow, { ...body, template }, requestContext);
    return { flow, created: isNew, originHeader };
  });
  return {
    status: created ? 201 : 200,
    headers: originHeader,
    body: { name: body.name, html_url: context.links.trail(org.name, flow.name, body.name) },
  };
};

export const getTrail: Handler<"getTrail"> = async ({ org, caller, params }, { store, links }) => {
  const { body, past } = await store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const trail = await requireTrailRow(db, org, flow, params.trailName);
    const [view] = await trailViews(db, [trail], { org: org.name, links });
    if (!view) throw new Error(`Trail '${trail.id}' disappeared while it was being read`);
    return { body: view, past: await pastOf(db, trail.id, caller.scope) };
  });
  return { status: 200, body, streamed: { events: eventsOf(store.read, past) } };
};

export const listFlowTrails: Handler<"listFlowTrails"> = async ({ org, params }, context) =>
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

export const listTrails: Handler<"listTrails"> = async ({ org, caller, params }, context) =>
  context.store.readTogether(async (db) => {
    const { flow, flowTag, fingerprint, complianceState: state, count, ...position } = params;
    const filter = {
      flowIds: await flowIdsInScope(db, org.id, caller.scope),
      flowId: flow === undefined ? undefined : (await requireFlow(db, org, flow)).id,
      flowTag,
      fingerprint,
      state,
    };
    if (!count) {
      const { data, streamed } = await pageData(
        db,
        await findTrails(db, org.id, filter, sliceOf(position)),
        org,
        context,
      );
      return { status: 200, body: { data }, ...streamed };
    }
    const { total, ids } = await pageOfTrails(db, org.id, filter, sliceOf(position));
    const { data, streamed } = await pageData(db, ids, org, context);
    return { status: 200, body: { data, pagination: pagination({ ...position, total }) }, ...streamed };
  });

async function pageData(
  db: Database,
  ids: readonly string[],
  org: Organization,
  context: ServiceContext,
): Promise<{ data: TrailView[]; streamed?: { streamed: { data: AsyncIterable<TrailView[]> } } }> {
  if (ids.length <= TRAILS_AT_ONCE) return { data: await viewsOf(db, ids, org, context) };
  return { data: [], streamed: { streamed: { data: trailSlices(ids, org, context) } } };
}

/** Reads each slice after the previous one was sent. */
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
