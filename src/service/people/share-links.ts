import { MAX_SHARE_SECONDS, type ShareLinkRecord } from "../../api/resources/share-links.ts";
import { record, recordChange } from "../events/record.ts";
import { resolveFingerprint } from "../evidence/artifacts/records.ts";
import { requireFlow } from "../evidence/flows/records.ts";
import { requireTrailRow } from "../evidence/trails/list.ts";
import type { Organization } from "../kernel/caller.ts";
import { Invalid, invalidInput, NotFound } from "../kernel/errors.ts";
import { pagination, type Slice, sliceOf } from "../kernel/paging.ts";
import { type Handler, requestContextOf } from "../operation/handler.ts";
import { requireEnvironment } from "../runtime/environments/records.ts";
import type { ShareKind } from "../store/account-tables.ts";
import { countRows, ROW_COUNT } from "../store/dialect.ts";
import { newId } from "../store/ids.ts";
import type { Database, Tables } from "../store/tables.ts";
import { hashOf } from "./accounts/keys.ts";
import { newToken } from "./sessions.ts";

/* Responses contain tokens, of which only the hash is stored, so responses are not stored for repeats. */

export const createShareLink: Handler<"createShareLink"> = async (call, context) => {
  const { org, caller, body } = call;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  const { description, expiresAt } = body;
  requireFuture(expiresAt, now);
  const token = newToken();
  const link = await context.store.write(async (db) => {
    const { ids, ...shared } = await sharedOf(db, org, body);
    const times = { created_at: now, expires_at: expiresAt, revoked_at: null };
    const made = { id: newId(), ...shared, description, created_by: caller.accountName, ...times };
    await db
      .insertInto("share_links")
      .values({ ...made, ...ids, org_id: org.id, token_hash: hashOf(token) })
      .execute();
    await recordChange(db, requestContext, {
      type: "share_link.created",
      subject: resourceOf(made),
      details: { kind: shared.kind, place: shared.place },
      after: { description, expires_at: expiresAt },
    });
    return made;
  });
  const { links } = context;
  const url = link.kind === "badge" ? links.badge(org.name, link.place, token) : links.share(token);
  return { status: 201, body: { ...viewOf(link), url } };
};

export const listShareLinks: Handler<"listShareLinks"> = async ({ org, params }, { store }) => {
  const { rows, total } = await store.readTogether((db) => shareLinksOf(db, org.id, sliceOf(params)));
  return { status: 200, body: { data: rows.map(viewOf), pagination: pagination({ ...params, total }) } };
};

export const revokeShareLink: Handler<"revokeShareLink"> = async (call, context) => {
  const { org, params } = call;
  const requestContext = requestContextOf(call, context);
  await context.store.write(async (db) => {
    const link = await endShareLink(db, { orgId: org.id, id: params.linkId, now: requestContext.now });
    if (!link) throw new NotFound("share_link.not_found", "Share link not found, or already revoked");
    await record(db, requestContext, {
      type: "share_link.revoked",
      subject: resourceOf(link),
      data: { details: { kind: link.kind, place: link.place, description: link.description } },
    });
  });
  return { status: 200, body: "revoked" };
};

/** @throws Invalid */
function requireFuture(expiresAt: number, now: number): void {
  if (expiresAt <= now) throw invalidInput({ expires_at: "Input should be in the future" });
  if (expiresAt > now + MAX_SHARE_SECONDS) {
    throw invalidInput({ expires_at: `Input should be at most ${MAX_SHARE_SECONDS / 86_400} days ahead` });
  }
}

/** What `name` means for each kind of link, if it needs a name. */
const NAMES: Readonly<Record<ShareKind, string | undefined>> = {
  trail: "the name of the trail",
  artifact: "the fingerprint of the artifact",
  environment: undefined,
  badge: undefined,
};

interface LinkQuery {
  kind: ShareKind;
  place: string;
  name?: string | null | undefined;
}

/**
 * Finds the shared records, with their current names.
 *
 * @throws Invalid, NotFound
 */
async function sharedOf(
  db: Database,
  org: Organization,
  { kind, place, name }: LinkQuery,
): Promise<Shared & { ids: SharedIds }> {
  const called = NAMES[kind];
  if (called === undefined) {
    if (name)
      throw new Invalid(
        "request.field_invalid",
        `'name' must not be set for a link to the ${kind} of '${place}'`,
      );
    if (kind === "environment") {
      const environment = await requireEnvironment(db, org, place);
      return { kind, place: environment.name, name: null, ids: { environment_id: environment.id } };
    }
    const flow = await requireFlow(db, org, place);
    return { kind, place: flow.name, name: null, ids: { flow_id: flow.id } };
  }
  if (!name) throw new Invalid("request.field_invalid", `'name' is required: ${called}`);
  const flow = await requireFlow(db, org, place);
  if (kind === "trail") {
    const trail = await requireTrailRow(db, org, flow, name);
    return { kind, place: flow.name, name: trail.name, ids: { flow_id: flow.id, trail_id: trail.id } };
  }
  const prefix = name.toLowerCase();
  return {
    kind,
    place: flow.name,
    name: await resolveFingerprint(db, { orgName: org.name, flow, prefix }),
    ids: { flow_id: flow.id },
  };
}

function resourceOf({ id, place, name }: Pick<ShareLink, "id" | "place" | "name">) {
  return { name: name ?? place, id };
}

function viewOf(link: ShareLink): ShareLinkRecord {
  const { id, kind, place, name, description } = link;
  return {
    id,
    kind,
    place,
    name,
    description,
    createdBy: link.created_by,
    createdAt: link.created_at,
    expiresAt: link.expires_at,
    revokedAt: link.revoked_at,
  };
}

export interface Shared {
  readonly kind: ShareKind;
  /** Name of the flow or environment. */
  readonly place: string;
  /** Trail name or artifact fingerprint. */
  readonly name: string | null;
}

/** Ids, because names may move to other records. */
interface SharedIds {
  readonly flow_id?: string;
  readonly trail_id?: string;
  readonly environment_id?: string;
}

type ShareLink = Omit<Tables["share_links"], "token_hash" | "org_id" | keyof SharedIds>;

const COLUMNS = [
  ...(["share_links.id", "share_links.kind", "share_links.place", "share_links.name"] as const),
  ...(["share_links.description", "share_links.created_by", "share_links.created_at"] as const),
  ...(["share_links.expires_at", "share_links.revoked_at"] as const),
];

function linksWithNames(db: Database) {
  return db
    .selectFrom("share_links")
    .leftJoin("flows", "flows.id", "share_links.flow_id")
    .leftJoin("trails", "trails.id", "share_links.trail_id")
    .leftJoin("environments", "environments.id", "share_links.environment_id")
    .select(["flows.name as flow", "trails.name as trail", "environments.name as environment"]);
}

type Named = Pick<ShareLink, "place" | "name"> & Record<"flow" | "trail" | "environment", string | null>;

/** A link with current names. A link that expired before links had ids keeps its stored names. */
function renamed<Row extends Named>({ flow, trail, environment, ...link }: Row) {
  return { ...link, place: flow ?? environment ?? link.place, name: trail ?? link.name };
}

/** Links, newest first, with the total. */
async function shareLinksOf(db: Database, orgId: string, { limit, offset }: Slice) {
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

/** Undefined for an unknown or revoked link. */
async function endShareLink(
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

/** Undefined for an expired or revoked link. `madeAt` is the name of its place at creation. */
export async function findShare(db: Database, token: string, now: number) {
  const row = await linksWithNames(db)
    .innerJoin("organizations", "organizations.id", "share_links.org_id")
    .select(["organizations.id", "organizations.name as org_name"])
    .select(["share_links.kind", "share_links.place", "share_links.name", "share_links.expires_at"])
    .where("share_links.token_hash", "=", hashOf(token))
    .where("share_links.expires_at", ">", now)
    .where("share_links.revoked_at", "is", null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, org_name, kind, place, name, expires_at } = renamed(row);
  return { org: { id, name: org_name }, kind, place, madeAt: row.place, name, expiresAt: expires_at };
}
