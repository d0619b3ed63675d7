import {
  type createShareLink,
  type listShareLinks,
  MAX_SHARE_SECONDS,
  type revokeShareLink,
  type ShareLinkRecord,
} from "../../api/resources/share-links.ts";
import { recordAct } from "../audit-log/record-act.ts";
import { changesBetween, NOTHING } from "../events/changes.ts";
import { resolveFingerprint } from "../evidence/artifacts/records.ts";
import { requireFlow } from "../evidence/flows/records.ts";
import { requireTrailRow } from "../evidence/trails/list.ts";
import { Invalid, invalidInput, NotFound } from "../kernel/errors.ts";
import type { Organization } from "../kernel/organization.ts";
import { pagination, sliceOf } from "../kernel/paging.ts";
import type { Handler } from "../operation/handler.ts";
import { requestContextOf } from "../operation/request-context.ts";
import {
  addShareLink,
  endShareLink,
  type Shared,
  type SharedIds,
  type ShareLink,
  shareLinksOf,
} from "../people/share-links.ts";
import { requireEnvironment } from "../runtime/environments/records.ts";
import type { ShareKind } from "../store/account-tables.ts";
import type { Database } from "../store/tables.ts";

/* No answer here is kept for a repeat of its request: it opens what the link shows. */

export const handleCreateShareLink: Handler<typeof createShareLink> = async (call, context) => {
  const { org, caller, body } = call;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  const { description, expiresAt } = body;
  requireFuture(expiresAt, now);
  const { link, token } = await context.store.write(async (db) => {
    const { ids, ...shared } = await sharedOf(db, org, body);
    const made = await addShareLink(db, {
      ...shared,
      ids,
      orgId: org.id,
      description,
      createdBy: caller.accountName,
      expiresAt,
      now,
    });
    await recordAct(db, requestContext, {
      act: "share_link.created",
      resource: resourceOf(made.link),
      details: { kind: shared.kind, place: shared.place },
      changes: changesBetween(NOTHING, { description, expires_at: expiresAt }),
    });
    return made;
  });
  const { links } = context;
  const url = link.kind === "badge" ? links.badge(org.name, link.place, token) : links.share(token);
  return { status: 201, body: { ...viewOf(link), url } };
};

export const handleListShareLinks: Handler<typeof listShareLinks> = async ({ org, params }, { store }) => {
  const { rows, total } = await store.readTogether((db) => shareLinksOf(db, org.id, sliceOf(params)));
  return { status: 200, body: { data: rows.map(viewOf), pagination: pagination({ ...params, total }) } };
};

export const handleRevokeShareLink: Handler<typeof revokeShareLink> = async (call, context) => {
  const { org, params } = call;
  const requestContext = requestContextOf(call, context);
  await context.store.write(async (db) => {
    const link = await endShareLink(db, { orgId: org.id, id: params.linkId, now: requestContext.now });
    if (!link) throw new NotFound("There is no such link, or it was revoked before");
    await recordAct(db, requestContext, {
      act: "share_link.revoked",
      resource: resourceOf(link),
      details: { kind: link.kind, place: link.place, description: link.description },
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

/** Whether what a link shows has a name beside its place, and what that is called. */
const NAMES: Readonly<Record<ShareKind, string | undefined>> = {
  trail: "the name of the trail",
  artifact: "the fingerprint of the artifact",
  environment: undefined,
  badge: undefined,
};

interface Asked {
  kind: ShareKind;
  place: string;
  name?: string | null | undefined;
}

/**
 * What is there of what is to be shown, under the names that it has now.
 *
 * @throws Invalid, NotFound
 */
async function sharedOf(
  db: Database,
  org: Organization,
  { kind, place, name }: Asked,
): Promise<Shared & { ids: SharedIds }> {
  const called = NAMES[kind];
  if (called === undefined) {
    if (name) throw new Invalid(`A link to the ${kind} of '${place}' has no name beside it`);
    if (kind === "environment") {
      const environment = await requireEnvironment(db, org, place);
      return { kind, place: environment.name, name: null, ids: { environment_id: environment.id } };
    }
    const flow = await requireFlow(db, org, place);
    return { kind, place: flow.name, name: null, ids: { flow_id: flow.id } };
  }
  if (!name) throw new Invalid(`Give ${called} as 'name'`);
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

/** What the audit log calls a link: by what it shows. */
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
