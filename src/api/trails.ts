import * as z from "zod/mini";
import { reference, trailName, webAddress } from "./names.ts";
import { defineOperation } from "./operation.ts";
import { originFields } from "./submission.ts";

export const beginTrail = defineOperation({
  name: "beginTrail",
  summary: "Begin a trail, or update the fields that are given",
  method: "PUT",
  path: "/trails/{org}/{flow_name}",
  access: "write",
  params: z.object({ flow_name: reference }),
  body: {
    kind: "multipart",
    part: "data_json",
    schema: z.object({ name: trailName, ...originFields, origin_url: z.nullish(webAddress) }),
    files: { template_file: { count: "one" } },
  },
  responses: { 200: z.unknown(), 201: z.unknown() },
  errors: { 404: "No such flow" },
});
