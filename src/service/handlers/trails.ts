import type { beginTrail } from "../../api/trails.ts";
import type { Handler } from "../http/handler.ts";
import { requireFlow } from "../records/flows.ts";
import { putTrail } from "../records/trails.ts";
import { occasionOf } from "./occasion.ts";
import { asTemplateErrors, readTemplate } from "./template-upload.ts";

export const handleBeginTrail: Handler<typeof beginTrail> = async (call, context) => {
  const { org, params, body, files } = call;
  const template = await readTemplate(files.templateFile, asTemplateErrors);
  const { created } = await context.store.write(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    return putTrail(db, flow, { ...body, template }, occasionOf(call, context));
  });
  return {
    status: created ? 201 : 200,
    body: { name: body.name, html_url: context.links.trail(org.name, params.flowName, body.name) },
  };
};
