import type { Organization } from "../kernel/organization.ts";
import type { ShareKind } from "../store/account-tables.ts";
import type { Database } from "../store/tables.ts";
import { hashOfToken } from "./sessions.ts";

/** A link that works: what it shows, and until when. */
export interface Share {
  readonly org: Organization;
  readonly kind: ShareKind;
  /** The name of the flow or environment. */
  readonly place: string;
  /** The name of the trail, or the fingerprint of the artifact. */
  readonly name: string | null;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** The link that a token is of. Undefined when it has ended or was revoked. */
export async function findShare(db: Database, token: string, now: number): Promise<Share | undefined> {
  const row = await db
    .selectFrom("share_links")
    .innerJoin("organizations", "organizations.id", "share_links.org_id")
    .select(["organizations.id", "organizations.name as org_name"])
    .select(["share_links.kind", "share_links.place", "share_links.name", "share_links.expires_at"])
    .where("share_links.token_hash", "=", hashOfToken(token))
    .where("share_links.expires_at", ">", now)
    .where("share_links.revoked_at", "is", null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, org_name, kind, place, name, expires_at } = row;
  return { org: { id, name: org_name }, kind, place, name, expiresAt: expires_at };
}
