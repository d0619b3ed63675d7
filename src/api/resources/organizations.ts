import * as z from "zod/mini";
import { defineOperation, readsCommon } from "../operation.ts";

export const getOrganization = defineOperation({
  ...readsCommon,
  name: "getOrganization",
  summary: "Get the organization",
  route: "GET /organizations/{org}",
  responses: {
    200: z.looseObject({
      name: z.string(),
      /** `shared` or `personal`. */
      kind: z.string(),
      experimental_features_enabled: z.optional(z.boolean()),
      /** Unix seconds. */
      created_at: z.number(),
      last_modified_at: z.number(),
    }),
  },
});

export const getDefaultOrg = defineOperation({
  ...readsCommon,
  name: "getDefaultOrg",
  summary: "Get the organization that the key's owner works in by default",
  route: "GET /user/default-org",
  responses: { 200: z.looseObject({ default_org_name: z.nullish(z.string()) }) },
});

export const setDefaultOrg = defineOperation({
  ...readsCommon,
  name: "setDefaultOrg",
  summary: "Set the organization that the key's owner works in by default",
  route: "PUT /user/{org}",
  deniesUnknownOrg: true,
  responses: { 200: z.unknown() },
});
