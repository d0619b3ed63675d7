import type { IncomingMessage } from "node:http";
import { targetOf } from "../http/request-head.ts";
import { isStorable } from "../kernel/storable-text.ts";
import { findOrganization } from "../people/accounts/organizations.ts";
import { findSession, noteVisit } from "../people/sessions.ts";
import { findShare } from "../people/share-links.ts";
import type { Store } from "../store/store.ts";
import { type Cookies, cookiesIn } from "./cookies.ts";
import { formTokenOf } from "./sent-form.ts";
import { reader, type Viewer } from "./viewer.ts";

/** A visit is noted to this many seconds: most then write nothing. */
const VISIT_SECONDS = 60;

interface Known {
  readonly store: Pick<Store, "read" | "write">;
  readonly cookies: Cookies;
  /** The names of the organizations that show themselves to all. */
  readonly publicOrgs: ReadonlySet<string>;
  /** Unix seconds. */
  readonly now: number;
}

/** As whom a request may see pages. */
interface Visit {
  /** The first of them sees most. */
  readonly viewers: readonly Viewer[];
  /** Whether it comes from somebody who is signed in, or who has a link. */
  readonly isSomebody: boolean;
}

/** As whom a request may see the pages of an organization. A page of none is for who is signed in. */
export async function viewersOf(
  { headers, url }: Pick<IncomingMessage, "headers" | "url">,
  orgName: string | undefined,
  known: Known,
): Promise<Visit> {
  const sent = cookiesIn(headers.cookie);
  const account = await accountOf(sent.get(known.cookies.nameOf("session")), known);
  const link = await linkedBy(sent.get(known.cookies.nameOf("share")), known);
  const badge = await badgeOf(url, known);
  // The token of a badge goes first: it says which flow is shown, whoever looks.
  const found = [badge, account, link, await anybody(orgName, known)];
  return {
    viewers: found.filter((each) => each !== undefined).filter(isOf(orgName)),
    isSomebody: account !== undefined || link !== undefined,
  };
}

function isOf(orgName: string | undefined): (viewer: Viewer) => boolean {
  return ({ kind, org }) => (orgName === undefined ? kind === "account" : org.name === orgName);
}

async function accountOf(token: string | undefined, { store, now }: Known): Promise<Viewer | undefined> {
  const session = token === undefined ? undefined : await findSession(store.read, token, now);
  if (token === undefined || session === undefined) return undefined;
  if (now - session.lastSeenAt >= VISIT_SECONDS) await store.write((db) => noteVisit(db, session, now));
  const { id, caller, org } = session;
  return { kind: "account", caller, org, sessionId: id, formToken: formTokenOf(token) };
}

async function linkedBy(token: string | undefined, { store, now }: Known): Promise<Viewer | undefined> {
  const share = token === undefined ? undefined : await findShare(store.read, token, now);
  if (share === undefined) return undefined;
  const { org, kind, place, madeAt, name, expiresAt } = share;
  const subject = {
    ...{ kind, place },
    ...(name === null ? {} : { name }),
    ...(kind === "badge" ? { formerPlace: madeAt } : {}),
  };
  return { kind: "share", caller: reader(org, "a link"), org, subject, until: expiresAt };
}

/** A badge stands on pages of others, whose browsers send no cookie: its address has what opens it, and that alone. */
async function badgeOf(url: string | undefined, known: Known): Promise<Viewer | undefined> {
  const token = new URLSearchParams(targetOf({ url }).query).get("share");
  const viewer = token === null ? undefined : await linkedBy(token, known);
  return viewer?.kind === "share" && viewer.subject.kind === "badge" ? viewer : undefined;
}

async function anybody(
  orgName: string | undefined,
  { store, publicOrgs }: Known,
): Promise<Viewer | undefined> {
  if (orgName === undefined || !publicOrgs.has(orgName) || !isStorable(orgName)) return undefined;
  const org = await findOrganization(store.read, orgName);
  return org && { kind: "public", caller: reader(org, "everybody"), org };
}
