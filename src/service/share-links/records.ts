import type { Organization } from "../kernel/organization.ts";
import type { Slice } from "../kernel/paging.ts";
import { hashOfToken, newToken } from "../sessions/tokens.ts";
import type { ShareKind } from "../store/account-tables.ts";
import { countRows, ROW_COUNT } from "../store/count-rows.ts";
import { newId } from "../store/ids.ts";
import type { Database, Tables } from "../store/tables.ts";

/** What a link shows. */
export interface Shared {
  readonly kind: ShareKind;
  /** The name of the flow or environment. */
  readonly place: string;
  /** The name of the trail, or the fingerprint of the artifact. */
  readonly name: string | null;
}

/** A link that works. */
interface Share extends Shared {
  readonly org: Organization;
  /** Unix seconds. */
  readonly expiresAt: number;
}

export type ShareLink = Omit<Tables["share_links"], "token_hash" | "org_id">;

interface NewShareLink extends Shared {
  orgId: string;
  description: string;
  createdBy: string;
  /** Unix seconds. */
  expiresAt: number;
  now: number;
}

/** Makes a link, and returns the token that opens it. Only its hash is stored. */
export async function addShareLink(
  db: Database,
  { orgId, kind, place, name, description, createdBy, expiresAt, now }: NewShareLink,
): Promise<{ link: ShareLink; token: string }> {
  const token = newToken();
  const link = {
    id: newId(),
    kind,
    place,
    name,
    description,
    created_by: createdBy,
    created_at: now,
    expires_at: expiresAt,
    revoked_at: null,
  };
  await db
    .insertInto("share_links")
    .values({ ...link, org_id: orgId, token_hash: hashOfToken(token) })
    .execute();
  return { link, token };
}

const COLUMNS = [
  ...(["id", "kind", "place", "name", "description"] as const),
  ...(["created_by", "created_at", "expires_at", "revoked_at"] as const),
];

/** The links of an organization, the latest first, and how many there are. */
export async function shareLinksOf(db: Database, orgId: string, { limit, offset }: Slice) {
  const ofOrg = db.selectFrom("share_links").where("org_id", "=", orgId);
  const rows: ShareLink[] = await ofOrg
    .select(COLUMNS)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total: await countRows(ofOrg.select(ROW_COUNT)) };
}

/** Ends a link at once. Undefined when there is none, or it was ended before. */
export async function endShareLink(
  db: Database,
  { orgId, id, now }: { orgId: string; id: string; now: number },
): Promise<ShareLink | undefined> {
  return db
    .updateTable("share_links")
    .set({ revoked_at: now })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returning(COLUMNS)
    .executeTakeFirst();
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
