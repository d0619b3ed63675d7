import * as z from "zod/mini";
import { reference, tagKey } from "../names.ts";
import { defineOperation, writesOrganization } from "../operation.ts";
import { indexedText, shortText } from "../texts.ts";

/** The most tags that one resource may have. */
export const MAX_TAGS = 200;

/** What can be tagged, in the singular or plural. */
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
      /** A resource has at most {@link MAX_TAGS} tags. */
      set_tags: z.nullish(
        z.record(tagKey, indexedText).register(z.globalRegistry, { maxProperties: MAX_TAGS }),
      ),
      /** Keys. One that is set as well ends up removed; one that is not there changes nothing. */
      remove_tags: z.nullish(z.array(shortText)),
    }),
  },
  example: { set_tags: { team: "web" }, remove_tags: ["draft"] },
  responses: { 200: z.string() },
  errors: { 404: "No such resource" },
});
