import * as z from "zod/mini";
import { defineOperation } from "../operation.ts";

export const getOrganization = defineOperation({
  name: "getOrganization",
  summary: "Get the organization",
  method: "GET",
  path: "/organizations/{org}",
  access: "read",
  reach: "all",
  heavy: false,
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
  name: "getDefaultOrg",
  summary: "Get the organization that the key's owner works in by default",
  method: "GET",
  path: "/user/default-org",
  access: "read",
  reach: "all",
  heavy: false,
  responses: { 200: z.looseObject({ default_org_name: z.nullish(z.string()) }) },
});

export const setDefaultOrg = defineOperation({
  name: "setDefaultOrg",
  summary: "Set the organization that the key's owner works in by default",
  method: "PUT",
  path: "/user/{org}",
  deniesUnknownOrg: true,
  access: "read",
  reach: "all",
  heavy: false,
  responses: { 200: z.unknown() },
});
