import type { IncomingMessage } from "node:http";
import { targetOf } from "../http/request-head.ts";
import { type Caller, everybodyIn, type Organization, visitor } from "../kernel/caller.ts";
import { isStorable } from "../kernel/storable-text.ts";
import { findOrganization } from "../people/accounts/organizations.ts";
import { findSession, noteVisit } from "../people/sessions.ts";
import { findShare } from "../people/share-links.ts";
import type { ShareKind } from "../store/account-tables.ts";
import type { Store } from "../store/store.ts";
import { type Cookies, cookiesIn } from "./cookies.ts";
import { formTokenOf } from "./sent-form.ts";

export interface Subject {
  readonly kind: ShareKind;
  /** The name of the flow or environment. */
  readonly place: string;
  /** The name of the trail, or the fingerprint of the artifact. */
  readonly name?: string;
}

interface Shown extends Subject {
  /** The former name of the flow, which the address of a badge in a README still has. */
  readonly formerPlace?: string;
}

export type Viewer =
  | {
      readonly kind: "account";
      readonly caller: Caller;
      readonly org: Organization;
      readonly sessionId: string;
      /** Absent for the session of a key. */
      readonly person?: { readonly id: string; readonly orgs: readonly string[] } | undefined;
      /** Proves that a form is from a page of this session. */
      readonly formToken: string;
    }
  | { readonly kind: "public"; readonly caller: Caller; readonly org: Organization }
  | {
      readonly kind: "share";
      readonly caller: Caller;
      readonly org: Organization;
      readonly subject: Shown;
      /** Unix seconds. */
      readonly until: number;
    };

/** A caller without an account, who may only read. */
/** Whether a share link shows a subject. Fingerprints may be in either case. */
export function isShown(subject: Subject, shown: Shown): boolean {
  const nameOf = ({ kind, name = "" }: Subject) => (kind === "artifact" ? name.toLowerCase() : name);
  const isPlace = subject.place === shown.place || subject.place === shown.formerPlace;
  return subject.kind === shown.kind && isPlace && nameOf(subject) === nameOf(shown);
}

/** Minimum seconds between two recorded visits. */
const VISIT_SECONDS = 60;

interface Known {
  readonly read: Store["read"];
  /** Absent where visits are not recorded. */
  readonly write?: Store["write"];
  readonly cookies: Cookies;
  readonly publicOrgs: ReadonlySet<string>;
  /** Organizations to whose pages only people and the operator's admin keys sign in. */
  readonly ssoOrgs: ReadonlySet<string>;
  /** Unix seconds. */
  readonly now: number;
}

/** The viewers of a request for an organization. Without an organization, an account is required. */
export async function viewersOf(
  { headers, url }: Pick<IncomingMessage, "headers" | "url">,
  orgName: string | undefined,
  known: Known,
) {
  const sent = cookiesIn(headers.cookie);
  const account = await accountOf(sent.get(known.cookies.nameOf("session")), orgName, known);
  const link = await linkedBy(sent.get(known.cookies.nameOf("share")), known);
  const badge = await badgeOf(url, known);
  // The token of a badge goes first, so that all viewers get the same image.
  const found = [badge, account, link, await publicViewer(orgName, known)];
  const isOfPage = ({ kind, org }: Viewer) =>
    orgName === undefined ? kind === "account" : org.name === orgName;
  return {
    /** The first has the most rights. */
    viewers: found.filter((each) => each !== undefined).filter(isOfPage),
    /** Whether the caller is signed in or has a link. */
    isKnown: account !== undefined || link !== undefined,
  };
}

async function accountOf(
  token: string | undefined,
  orgName: string | undefined,
  { read, write, now, ssoOrgs }: Known,
): Promise<Viewer | undefined> {
  const session = token === undefined ? undefined : await findSession(read, token, now, orgName);
  if (token === undefined || session === undefined) return undefined;
  const { person, isOperators } = session;
  if (person === undefined && !isOperators && ssoOrgs.has(session.org.name)) return undefined;
  if (now - session.lastSeenAt >= VISIT_SECONDS)
    await write?.((db) => noteVisit(db, session, now), { orgId: session.org.id });
  const { id, caller, org } = session;
  return { kind: "account", caller, org, person, sessionId: id, formToken: formTokenOf(token) };
}

async function linkedBy(token: string | undefined, { read, now }: Known): Promise<Viewer | undefined> {
  const share = token === undefined ? undefined : await findShare(read, token, now);
  if (share === undefined) return undefined;
  const { org, kind, place, madeAt, name, expiresAt } = share;
  const subject = {
    ...{ kind, place },
    ...(name === null ? {} : { name }),
    ...(kind === "badge" ? { formerPlace: madeAt } : {}),
  };
  return { kind: "share", caller: visitor(org, "a link"), org, subject, until: expiresAt };
}

/** Reads the token from a badge's address, because other sites embed badges without cookies. */
async function badgeOf(url: string | undefined, known: Known): Promise<Viewer | undefined> {
  const token = new URLSearchParams(targetOf({ url }).query).get("share");
  const viewer = token === null ? undefined : await linkedBy(token, known);
  return viewer?.kind === "share" && viewer.subject.kind === "badge" ? viewer : undefined;
}

async function publicViewer(
  orgName: string | undefined,
  { read, publicOrgs }: Known,
): Promise<Viewer | undefined> {
  if (orgName === undefined || !publicOrgs.has(orgName) || !isStorable(orgName)) return undefined;
  const org = await findOrganization(read, orgName);
  return org && { kind: "public", caller: everybodyIn(org), org };
}
