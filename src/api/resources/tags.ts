import * as z from "zod/mini";
import { reference, tagKey } from "../names.ts";
import { defineOperation, writesOrganization } from "../operation.ts";
import { indexedText, shortText } from "../texts.ts";

/** Maximum number of tags of a resource. */
export const MAX_TAGS = 200;

export const tag = z.strictObject({
  /** Key of the tag. */
  key: z.string(),
  value: z.string(),
});

/** Type of the resource, singular or plural. */
const resourceType = z.enum([
  "flow",
  "flows",
  "env",
  "envs",
  "environment",
  "environments",
  "control",
  "controls",
  "repo",
  "repos",
]);

/**
 * Sets and removes tags of a flow, environment, control or repository. Flows and environments are identified by name,
 * controls by identifier, repositories by the ID that the service gave them.
 */
export const updateTags = defineOperation({
  ...writesOrganization,
  name: "updateTags",
  summary: "Update tags",
  route: "PATCH /tags/{org}/{resource_type}/{resource_id}",
  params: z.object({ resource_type: resourceType, resource_id: reference }),
  body: {
    kind: "json",
    schema: z.strictObject({
      /** Tags to set. A resource has at most 200 tags. */
      set_tags: z.nullish(
        z.record(tagKey, indexedText).register(z.globalRegistry, { maxProperties: MAX_TAGS }),
      ),
      /** Keys of tags to remove, even if `set_tags` has them. Unknown keys have no effect. */
      remove_tags: z.nullish(z.array(shortText)),
    }),
  },
  example: { set_tags: { team: "web" }, remove_tags: ["draft"] },
  responses: { 200: z.string() },
  errors: { 404: "No such resource" },
});
