import type { createFlow, createFlowWithTemplate } from "../../api/flows.ts";
import { templateOfNames } from "../compliance/template.ts";
import type { Handler } from "../http/handler.ts";
import { putFlow } from "../records/flows.ts";
import { asInvalidInput, readTemplate } from "./template-upload.ts";

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
