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

/** The ids of what a link shows: names may change, and then belong to something else. */
export interface SharedIds {
  readonly flow_id?: string;
  readonly trail_id?: string;
  readonly environment_id?: string;
}

/** A link that works. */
interface Share extends Shared {
  readonly org: Organization;
  /** The name that its place had when the link was made. */
  readonly madeAt: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

export type ShareLink = Omit<Tables["share_links"], "token_hash" | "org_id" | keyof SharedIds>;

interface NewShareLink extends Shared {
  orgId: string;
  ids: SharedIds;
  description: string;
  createdBy: string;
  /** Unix seconds. */
  expiresAt: number;
  now: number;
}

/** Makes a link, and returns the token that opens it. Only its hash is stored. */
export async function addShareLink(
  db: Database,
  { orgId, ids, kind, place, name, description, createdBy, expiresAt, now }: NewShareLink,
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
    .values({ ...link, ...ids, org_id: orgId, token_hash: hashOfToken(token) })
    .execute();
  return { link, token };
}

const COLUMNS = [
  ...(["share_links.id", "share_links.kind", "share_links.place", "share_links.name"] as const),
  ...(["share_links.description", "share_links.created_by", "share_links.created_at"] as const),
  ...(["share_links.expires_at", "share_links.revoked_at"] as const),
];

/** Links with the names that what they show has now. */
function linksWithNames(db: Database) {
  return db
    .selectFrom("share_links")
    .leftJoin("flows", "flows.id", "share_links.flow_id")
    .leftJoin("trails", "trails.id", "share_links.trail_id")
    .leftJoin("environments", "environments.id", "share_links.environment_id")
    .select(["flows.name as flow", "trails.name as trail", "environments.name as environment"]);
}

interface Named {
  readonly place: string;
  readonly name: string | null;
  readonly flow: string | null;
  readonly trail: string | null;
  readonly environment: string | null;
}

/** A link under the names of now. One that has no id, since it ended before links had ids, keeps those of then. */
function renamed<Row extends Named>({ flow, trail, environment, ...link }: Row) {
  return { ...link, place: flow ?? environment ?? link.place, name: trail ?? link.name };
}

/** The links of an organization, the latest first, and how many there are. */
export async function shareLinksOf(db: Database, orgId: string, { limit, offset }: Slice) {
  const rows = await linksWithNames(db)
    .select(COLUMNS)
    .where("share_links.org_id", "=", orgId)
    .orderBy("share_links.created_at", "desc")
    .orderBy("share_links.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  const ofOrg = db.selectFrom("share_links").where("org_id", "=", orgId);
  const links: ShareLink[] = rows.map(renamed);
  return { rows: links, total: await countRows(ofOrg.select(ROW_COUNT)) };
}

/** Ends a link at once. Undefined when there is none, or it was ended before. */
export async function endShareLink(
  db: Database,
  { orgId, id, now }: { orgId: string; id: string; now: number },
): Promise<ShareLink | undefined> {
  const ended = await db
    .updateTable("share_links")
    .set({ revoked_at: now })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!ended) return undefined;
  const link = linksWithNames(db).select(COLUMNS).where("share_links.id", "=", id);
  return renamed(await link.executeTakeFirstOrThrow());
}

/** The link that a token is of. Undefined when it has ended or was revoked. */
export async function findShare(db: Database, token: string, now: number): Promise<Share | undefined> {
  const row = await linksWithNames(db)
    .innerJoin("organizations", "organizations.id", "share_links.org_id")
    .select(["organizations.id", "organizations.name as org_name"])
    .select(["share_links.kind", "share_links.place", "share_links.name", "share_links.expires_at"])
    .where("share_links.token_hash", "=", hashOfToken(token))
    .where("share_links.expires_at", ">", now)
    .where("share_links.revoked_at", "is", null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, org_name, kind, place, name, expires_at } = renamed(row);
  return { org: { id, name: org_name }, kind, place, madeAt: row.place, name, expiresAt: expires_at };
}
