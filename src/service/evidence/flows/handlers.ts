import type {
  archiveFlow,
  createFlow,
  createFlowWithTemplate,
  getFlow,
  getFlowTemplateSchema,
  listFlows,
  renameFlow,
} from "../../../api/resources/flows.ts";
import { recordAct, recordChange } from "../../audit-log/record-act.ts";
import { recordFlowChange } from "../../flows/audited.ts";
import { flowViews } from "../../flows/view.ts";
import { templateOfNames } from "../../judging/compliance/template.ts";
import { templateSchema } from "../../judging/compliance/template-schema.ts";
import { Invalid } from "../../kernel/errors.ts";
import { pagination, sliceOf } from "../../kernel/paging.ts";
import { namesIn } from "../../kernel/scope.ts";
import { renameInActions } from "../../notifications/renamed.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Handler, Sender } from "../../operation/handler.ts";
import { requestContextOf } from "../../operation/request-context.ts";
import { countFlows, listFlows as findFlows, flowRow } from "./list.ts";
import {
  type FlowFields,
  requireFlow,
  requireOpenFlow,
  archiveFlow as storeArchival,
  renameFlow as storeNewName,
  putFlow as writeFlow,
} from "./records.ts";
import { asInvalidInput, readTemplate } from "./template-upload.ts";

export const handleCreateFlow: Handler<typeof createFlow> = (call, context) => {
  const { body } = call;
  const template = { template: templateOfNames(body.template), source: JSON.stringify(body.template) };
  return putFlow(call, context, { ...body, template });
};

export const handleCreateFlowWithTemplate: Handler<typeof createFlowWithTemplate> = async (call, context) => {
  const { body, files } = call;
  const template = await readTemplate(files.templateFile, asInvalidInput);
  return putFlow(call, context, { ...body, template });
};

async function putFlow(call: Sender, context: ServiceContext, fields: FlowFields) {
  const { before } = await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const written = await writeFlow(db, call.org.id, fields, requestContext.now);
    await recordFlowChange(db, requestContext, written);
    return written;
  });
  return { status: before ? 200 : 201, body: "OK" } as const;
}

const PER_PAGE = 20;

export const handleListFlows: Handler<typeof listFlows> = async ({ org, caller, params }, { store }) => {
  const { searchByName: search, caseSensitive, tag: tags, sort, sortDirection, page, perPage } = params;
  if (search === "") throw new Invalid("Empty string is not allowed for flow names.");
  const names = namesIn(caller.scope, "flows");
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

export const handleGetFlow: Handler<typeof getFlow> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const { id } = await requireFlow(db, org, params.flowName);
    const [body] = await flowViews(db, org.name, [await flowRow(db, id)]);
    if (!body) throw new Error(`Flow '${id}' has no view`);
    return { status: 200, body };
  });

export const handleRenameFlow: Handler<typeof renameFlow> = async (call, context) => {
  const { org, params, body } = call;
  const { newName } = body;
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const flow = await requireOpenFlow(db, org, params.flowName);
    await storeNewName(db, org.id, { flow, newName }, requestContext.now);
    await recordChange(db, requestContext, {
      act: "flow.renamed",
      resource: flow,
      before: { name: flow.name },
      after: { name: newName },
    });
    await renameInActions(db, requestContext, { type: "flow", from: flow.name, to: newName });
  });
  return { status: 200, body: "OK" };
};

export const handleArchiveFlow: Handler<typeof archiveFlow> = async (call, context) => {
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const flow = await requireFlow(db, call.org, call.params.flowName);
    if (flow.archivedAt !== null) return;
    await storeArchival(db, flow.id, requestContext.now);
    await recordAct(db, requestContext, { act: "flow.archived", resource: flow });
  });
  return { status: 200, body: "OK" };
};

export const handleGetFlowTemplateSchema: Handler<typeof getFlowTemplateSchema> = async (_, { links }) => ({
  status: 200,
  body: templateSchema(links.api(["schemas", "flow-template", "v1"])),
});
