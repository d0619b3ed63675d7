import { renameInRules } from "../../delivery/rules/rule-events.ts";
import { record, recordChange } from "../../events/record.ts";
import { templateOfNames } from "../../judging/compliance/template.ts";
import { templateSchema } from "../../judging/compliance/template-schema.ts";
import { Invalid } from "../../kernel/errors.ts";
import { pagination, sliceOf } from "../../kernel/paging.ts";
import { namesIn } from "../../kernel/scope.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Handler, requestContextOf, type Sender } from "../../operation/handler.ts";
import { countFlows, listFlows as findFlows, flowViews } from "./list.ts";
import {
  type FlowFields,
  requireFlow,
  requireOpenFlow,
  requireStoredFlow,
  type StoredFlow,
  archiveFlow as storeArchival,
  renameFlow as storeNewName,
  templateDigest,
  putFlow as writeFlow,
} from "./records.ts";
import { asInvalidInput, readTemplate } from "./template-upload.ts";

export const createFlow: Handler<"createFlow"> = (call, context) => {
  const { body } = call;
  const template = { template: templateOfNames(body.template), source: JSON.stringify(body.template) };
  return putFlow(call, context, { ...body, template });
};

export const createFlowWithTemplate: Handler<"createFlowWithTemplate"> = async (call, context) => {
  const { body, files } = call;
  const template = await readTemplate(files.templateFile, asInvalidInput);
  return putFlow(call, context, { ...body, template });
};

async function putFlow(call: Sender, context: ServiceContext, fields: FlowFields) {
  const { before } = await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const { before, after } = await writeFlow(db, call.org.id, fields, requestContext.now);
    await recordChange(db, requestContext, {
      type: typeOfChange(before, after),
      subject: after,
      before: before && stateOf(before),
      after: stateOf(after),
    });
    return { before };
  });
  return { status: before ? 200 : 201, body: "OK" } as const;
}

/** The act for the most important of several changes. */
function typeOfChange(before: StoredFlow | undefined, after: StoredFlow) {
  if (!before) return "flow.created";
  if (before.archived_at !== null) return "flow.unarchived";
  return templateDigest(before) === templateDigest(after) ? "flow.changed" : "flow.template_changed";
}

function stateOf(flow: StoredFlow) {
  const { description, visibility, repo_url, archived_at } = flow;
  return {
    description,
    visibility,
    repo_url,
    template_sha256: templateDigest(flow),
    archived: archived_at !== null,
  };
}

const PER_PAGE = 20;

export const listFlows: Handler<"listFlows"> = async ({ org, caller, params }, { store }) => {
  const { searchByName: search, caseSensitive, tag: tags, sort, sortDirection, page, perPage } = params;
  if (search === "")
    throw new Invalid("request.field_invalid", "Empty string is not allowed for flow names.");
  // The interface's spaces do not exist in this service.
  const isInSpace = params.spaceId?.some((id) => id !== "") ?? false;
  const names = isInSpace ? [] : namesIn(caller.scope, "flows");
  const filter = { names, search, caseSensitive, tags, sort, direction: sortDirection };
  return store.readTogether(async (db) => {
    if (page === undefined && perPage === undefined) {
      const flows = await findFlows(db, org.id, filter);
      return { status: 200, body: await flowViews(db, org.name, flows) };
    }
    const position = { page: page ?? 1, perPage: perPage ?? PER_PAGE };
    const flows = await findFlows(db, org.id, filter, sliceOf(position));
    const total = await countFlows(db, org.id, filter);
    return {
      status: 200,
      body: {
        data: await flowViews(db, org.name, flows),
        pagination: pagination({ ...position, total }),
      },
    };
  });
};

export const getFlow: Handler<"getFlow"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const flow = await requireStoredFlow(db, org, params.flowName);
    const [body] = await flowViews(db, org.name, [flow]);
    if (!body) throw new Error(`Flow '${flow.id}' has no view`);
    return { status: 200, body };
  });

export const renameFlow: Handler<"renameFlow"> = async (call, context) => {
  const { org, params, body } = call;
  const { newName } = body;
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const flow = await requireOpenFlow(db, org, params.flowName);
    await storeNewName(db, org.id, { flow, newName }, requestContext.now);
    await recordChange(db, requestContext, {
      type: "flow.renamed",
      subject: flow,
      before: { name: flow.name },
      after: { name: newName },
    });
    await renameInRules(db, requestContext, { type: "flow", from: flow.name, to: newName });
  });
  return { status: 200, body: "OK" };
};

export const archiveFlow: Handler<"archiveFlow"> = async (call, context) => {
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const flow = await requireFlow(db, call.org, call.params.flowName);
    if (flow.archivedAt !== null) return;
    await storeArchival(db, flow.id, requestContext.now);
    await record(db, requestContext, { type: "flow.archived", subject: flow, data: {} });
  });
  return { status: 200, body: "OK" };
};

export const getFlowTemplateSchema: Handler<"getFlowTemplateSchema"> = async (_, { links }) => ({
  status: 200,
  body: templateSchema(links.api(["schemas", "flow-template", "v1"])),
});
