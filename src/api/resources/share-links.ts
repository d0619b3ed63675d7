import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, grantsOrganization } from "../operation.ts";
import { itemsPerPage, pageOf, pagination } from "../paging.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/* Links by which somebody without an account may see one thing on the pages of the service, until a day. */

/** What a link shows: a trail, an artifact in a flow, an environment, or the badge of a flow. */
export const SHARED = ["trail", "artifact", "environment", "badge"] as const;

/** The longest that a link may work, in seconds: a little more than a year. */
export const MAX_SHARE_SECONDS = 400 * 24 * 60 * 60;

const subject = {
  kind: z.enum(SHARED),
  /** The name of the flow; of the environment for `environment`. */
  place: reference,
  /** The name of the trail, or the fingerprint of the artifact. */
  name: z.nullish(reference),
};

const shareLink = z.looseObject({
  id: z.string(),
  ...subject,
  /** What it is for. */
  description: z.string(),
  /** The name that the account had then. */
  created_by: z.string(),
  /** Unix seconds, like all times here. */
  created_at: z.number(),
  expires_at: z.number(),
  /** Null as long as nobody did. */
  revoked_at: z.nullish(z.number()),
});
export type ShareLinkRecord = Camel<z.infer<typeof shareLink>>;

/**
 * Creates a link that shows one thing to people without an account. Only this response contains the link.
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
  summary:
    "Make a link that shows one thing to who has no account; the answer is the one place where it can be seen",
  route: "POST /share-links/{org}",
  body: {
    kind: "json",
    schema: z.object({
      ...subject,
      description: z._default(shortText, ""),
      /** Unix seconds: at most 400 days ahead. */
      expires_at: z.number(),
    }),
  },
  responses: {
    201: z.looseObject({
      ...shareLink.def.shape,
      /** Opens what is shown. It is answered this once. */ url: z.string(),
    }),
  },
  errors: { 404: "No such flow, trail, artifact or environment" },
});

/** Lists the share links, newest first, including those that ended. */
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
