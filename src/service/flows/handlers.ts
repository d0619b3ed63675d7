import type {
  archiveFlow,
  createFlow,
  createFlowWithTemplate,
  getFlow,
  getFlowTemplateSchema,
  listFlows,
  renameFlow,
} from "../../api/flows.ts";
import { templateOfNames } from "../compliance/template.ts";
import { templateSchema } from "../compliance/template-schema.ts";
import { Invalid } from "../kernel/errors.ts";
import { pagination, sliceOf } from "../kernel/paging.ts";
import type { Handler } from "../operation/handler.ts";
import { countFlows, listFlows as findFlows, flowRow } from "./list.ts";
import {
  putFlow,
  requireFlow,
  requireOpenFlow,
  archiveFlow as storeArchival,
  renameFlow as storeNewName,
} from "./records.ts";
import { asInvalidInput, readTemplate } from "./template-upload.ts";
import { flowViews } from "./view.ts";

export const handleCreateFlow: Handler<typeof createFlow> = async ({ org, body }, { store, now }) => {
  const template = { template: templateOfNames(body.template), source: JSON.stringify(body.template) };
  const { created } = await store.write((db) => putFlow(db, org.id, { ...body, template }, now()));
  return { status: created ? 201 : 200, body: "OK" };
};

export const handleCreateFlowWithTemplate: Handler<typeof createFlowWithTemplate> = async (
  { org, body, files },
  { store, now },
) => {
  const template = await readTemplate(files.templateFile, asInvalidInput);
  const { created } = await store.write((db) => putFlow(db, org.id, { ...body, template }, now()));
  return { status: created ? 201 : 200, body: "OK" };
};

const PER_PAGE = 20;

export const handleListFlows: Handler<typeof listFlows> = async ({ org, params }, { store }) => {
  const { searchByName: search, caseSensitive, tag: tags, sort, sortDirection, page, perPage } = params;
  if (search === "") throw new Invalid("Empty string is not allowed for flow names.");
  const filter = { search, caseSensitive, tags, sort, direction: sortDirection };
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

export const handleRenameFlow: Handler<typeof renameFlow> = async ({ org, params, body }, { store, now }) => {
  await store.write(async (db) => {
    const flow = await requireOpenFlow(db, org, params.flowName);
    await storeNewName(db, org.id, { flow, newName: body.newName }, now());
  });
  return { status: 200, body: "OK" };
};

export const handleArchiveFlow: Handler<typeof archiveFlow> = async ({ org, params }, { store, now }) => {
  await store.write(async (db) => {
    const { id } = await requireFlow(db, org, params.flowName);
    await storeArchival(db, id, now());
  });
  return { status: 200, body: "OK" };
};

export const handleGetFlowTemplateSchema: Handler<typeof getFlowTemplateSchema> = async (_, { links }) => ({
  status: 200,
  body: templateSchema(links.api(["schemas", "flow-template", "v1"])),
});
