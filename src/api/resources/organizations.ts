import * as z from "zod/mini";
import { defineOperation, readsCommon } from "../operation.ts";
import { ROLES, scopeAnswer } from "./service-accounts.ts";

/** Returns the organization of the path. */
export const getOrganization = defineOperation({
  ...readsCommon,
  name: "getOrganization",
  summary: "Get the organization",
  route: "GET /organizations/{org}",
  responses: {
    200: z.looseObject({
      name: z.string(),
      /** Kind of the organization: `shared` or `personal`. */
      kind: z.string(),
      experimental_features_enabled: z.optional(z.boolean()),
      /** Time of creation, in Unix seconds. */
      created_at: z.number(),
      last_modified_at: z.number(),
    }),
  },
});

/** Returns the default organization of the key's owner. */
export const getDefaultOrg = defineOperation({
  ...readsCommon,
  name: "getDefaultOrg",
  summary: "Get the default organization",
  route: "GET /user/default-org",
  responses: { 200: z.looseObject({ default_org_name: z.nullish(z.string()) }) },
});

/** Sets the default organization of the key's owner. */
export const setDefaultOrg = defineOperation({
  ...readsCommon,
  name: "setDefaultOrg",
  summary: "Set the default organization",
  route: "PUT /user/{org}",
  deniesUnknownOrg: true,
  responses: { 200: z.unknown() },
});

/** Returns the owner of the key or token, with the role in each organization. */
export const getCurrentUser = defineOperation({
  ...readsCommon,
  name: "getCurrentUser",
  summary: "Get the owner of the key or token",
  route: "GET /user",
  responses: {
    200: z.looseObject({
      name: z.string(),
      kind: z.enum(["person", "service_account", "workflow"]),
      /** Organizations of the person, or the one of the account. */
      organizations: z.array(
        z.looseObject({
          name: z.string(),
          /** Name of the account in the organization, which its records show. */
          account: z.string(),
          role: z.enum(ROLES),
          ...scopeAnswer,
        }),
      ),
    }),
  },
});
