import * as z from "zod/mini";
import { reference } from "../names.ts";
import { administersOrganization, defineOperation } from "../operation.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/* SCIM tokens: an identity provider sends users and groups with one, and so decides who has access. */

/** Maximum number of tokens that work at the same time, so that one can replace the other. */
export const MAX_SCIM_TOKENS = 2;

const scimToken = z.looseObject({
  id: z.string(),
  /** Purpose of the token. */
  description: z.string(),
  /** Name of the login provider whose people it provisions. */
  provider: z.string(),
  /** Base address for the identity provider. */
  url: z.string(),
  /** Name of the account at that time. */
  created_by: z.string(),
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
  /** Expiry, in Unix seconds; null if it does not expire. */
  expires_at: z.nullable(z.number()),
  /** Time of the last use, to the minute; null if it was never used. */
  last_used_at: z.nullable(z.number()),
});
export type ScimTokenRecord = Camel<z.infer<typeof scimToken>>;

/**
 * Creates a token with which an identity provider sends users and groups. Only this response contains it. Two tokens
 * can work at the same time: create the new one, configure it, and revoke the old one.
 */
export const createScimToken = defineOperation({
  ...administersOrganization,
  name: "createScimToken",
  summary: "Create a SCIM token",
  route: "POST /scim-tokens/{org}",
  body: {
    kind: "json",
    schema: z.strictObject({
      description: shortText.check(z.minLength(1)),
      /** Login provider of the people, as in its addresses. Its role map gives their groups roles. */
      provider: shortText.check(z.minLength(1)),
      /** Expiry, in Unix seconds. Default: none. */
      expires_at: z.nullish(z.number()),
    }),
  },
  example: { description: "Okta", provider: "company" },
  responses: {
    201: z.looseObject({
      ...scimToken.def.shape,
      /** The token. Only this response contains it. */
      token: z.string(),
    }),
  },
  errors: { 404: "No such login provider", 409: "Two tokens work already" },
  conflictIsFinal: true,
});

/** Lists the SCIM tokens that are not revoked, oldest first. */
export const listScimTokens = defineOperation({
  ...administersOrganization,
  name: "listScimTokens",
  summary: "List SCIM tokens",
  route: "GET /scim-tokens/{org}",
  responses: { 200: z.array(scimToken) },
});

/** Revokes the token at once. Users, groups and roles stay as they are. */
export const revokeScimToken = defineOperation({
  ...administersOrganization,
  name: "revokeScimToken",
  summary: "Revoke a SCIM token",
  route: "DELETE /scim-tokens/{org}/{token_id}",
  params: z.object({
    /** Id of the SCIM token. */
    token_id: reference,
  }),
  responses: { 200: z.string() },
  errors: { 404: "No such token, or it was revoked" },
});
