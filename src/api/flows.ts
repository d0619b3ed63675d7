import * as z from "zod/mini";
import { flowName } from "./names.ts";
import { defineOperation } from "./operation.ts";

export const visibility = z.enum(["public", "private"]);

const flowFields = {
  name: flowName,
  /** May be empty. */
  description: z.string(),
  visibility: z._default(visibility, "private"),
};

export const createFlow = defineOperation({
  name: "createFlow",
  summary: "Create or update a flow",
  method: "PUT",
  path: "/flows/{org}",
  access: "write",
  body: {
    kind: "json",
    schema: z.object({
      ...flowFields,
      /** Names of the attestations a trail needs; the word `artifact` stands for the artifact itself. */
      template: z.array(z.string().check(z.minLength(1))),
      repo_url: z.nullish(z.string()),
    }),
  },
  responses: { 200: z.string(), 201: z.string() },
});

export const createFlowWithTemplate = defineOperation({
  name: "createFlowWithTemplate",
  summary: "Create or update a flow with a template file",
  method: "PUT",
  path: "/flows/{org}/template_file",
  access: "write",
  body: {
    kind: "multipart",
    part: "data_json",
    schema: z.object(flowFields),
    files: { template_file: { count: "one" } },
  },
  responses: { 200: z.string(), 201: z.string() },
});
