import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, grantsOrganization } from "../operation.ts";
import { itemsPerPage, pageOf, pagination } from "../paging.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/* Links that show one page of the service to people without an account, until they expire. */

/** Subject of a link: a trail, an artifact in a flow, an environment, or the badge of a flow. */
export const SHARED = ["trail", "artifact", "environment", "badge"] as const;

/** Maximum lifetime of a link, in seconds: 400 days. */
export const MAX_SHARE_SECONDS = 400 * 24 * 60 * 60;

const subject = {
  kind: z.enum(SHARED),
  /** Name of the flow, or of the environment for `environment`. */
  place: reference,
  /** Name of the trail, or fingerprint of the artifact. */
  name: z.nullish(reference),
};

const shareLink = z.looseObject({
  id: z.string(),
  ...subject,
  /** Purpose of the link. */
  description: z.string(),
  /** Name of the account at that time. */
  created_by: z.string(),
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
  expires_at: z.number(),
  /** Time of the revocation, in Unix seconds; null if it was not revoked. */
  revoked_at: z.nullish(z.number()),
});
export type ShareLinkRecord = Camel<z.infer<typeof shareLink>>;

/**
 * Creates a link that shows one page to people without an account. Only this response contains the link.
 *
 * @example
 * const { body } = await client.createShareLink({
 *   body: { kind: "trail", place: "web", name: "v1.2", description: "audit 2026", expiresAt: 1_798_761_600 },
 * });
 * send(body.url);
 */
export const createShareLink = defineOperation({
  ...grantsOrganization,
  name: "createShareLink",
  summary: "Create a share link",
  route: "POST /share-links/{org}",
  body: {
    kind: "json",
    schema: z.object({
      ...subject,
      description: z._default(shortText, ""),
      /** Expiry, in Unix seconds, at most 400 days from now. */
      expires_at: z.number(),
    }),
  },
  responses: {
    201: z.looseObject({
      ...shareLink.def.shape,
      /** Address of the shared page. Only this response contains it. */
      url: z.string(),
    }),
  },
  errors: { 404: "No such flow, trail, artifact or environment" },
});

/** Lists the share links, newest first, including expired ones. */
export const listShareLinks = defineOperation({
  ...grantsOrganization,
  name: "listShareLinks",
  summary: "List share links",
  route: "GET /share-links/{org}",
  query: z.object(pageOf(itemsPerPage, 20)),
  responses: { 200: z.looseObject({ data: z.array(shareLink), pagination }) },
});

/** Revokes the link at once. This cannot be undone. */
export const revokeShareLink = defineOperation({
  ...grantsOrganization,
  name: "revokeShareLink",
  summary: "Revoke a share link",
  route: "DELETE /share-links/{org}/{link_id}",
  params: z.object({ link_id: reference }),
  responses: { 200: z.string() },
  errors: { 404: "No such link, or it was revoked" },
});
