import { subscriptionOf, unsubscribe } from "../delivery/rules/unsubscribe.ts";
import type { Answer } from "../http/error-answer.ts";
import type { ServedPage } from "../http/page-host.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { NotFound } from "../kernel/errors.ts";
import { findKey } from "../people/accounts/keys.ts";
import {
  beginSession,
  endSession,
  forgetSession,
  isOperatorsAdmin,
  SESSION_SECONDS,
} from "../people/sessions.ts";
import { findShare } from "../people/share-links.ts";
import { Cookies, cookiesIn } from "./cookies.ts";
import { devicePages } from "./device-pages.ts";
import { deviceRequests } from "./device-requests.ts";
import { ownPath } from "./own-path.ts";
import { html, text } from "./parts/html.ts";
import { subjectPath } from "./paths.ts";
import { type PageParts, pathsOf, plainPage, seeOther, sessionOwner } from "./render.ts";
import { readForm, refuseForeign, requireFormToken } from "./sent-form.ts";
import { signInForm } from "./sign-in-form.ts";
import { signedOutPage, signInPages } from "./sign-in-pages.ts";
import { viewersOf } from "./viewers.ts";

const UNSUBSCRIBE = "/share/unsubscribe/:token";

/** Pages that need no session: sign-in, share links and the unsubscribe links in emails. */
export function entryPages(parts: PageParts): ServedPage[] {
  const page = (path: string, serve: Serve): ServedPage => {
    return { method: "GET", path, name: "page", serve: (request) => serve(request, parts) };
  };
  const form = (path: string, serve: Serve): ServedPage => {
    return { method: "POST", path, name: "form", serve: (request) => serve(request, parts) };
  };
  return [
    page("/login", showSignIn),
    form("/login", signIn),
    // Before the providers, none of which is named `device`.
    ...deviceRequests(parts),
    ...devicePages(parts),
    ...signInPages(parts),
    form("/logout", signOut),
    // A GET changes nothing, because email scanners open links. Email clients send the POST without a session (RFC 8058).
    page(UNSUBSCRIBE, showUnsubscribe),
    form(UNSUBSCRIBE, confirmUnsubscribe),
    page("/share/:token", openShare),
  ];
}

type Serve = (request: RoutedRequest, parts: PageParts) => Promise<Answer>;

async function showSignIn(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  return signInForm(request, parts, { next: new URLSearchParams(request.target.query).get("next") ?? "" });
}

async function signIn(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  const { incoming, source } = request;
  const { store, now } = parts.context;
  parts.rateLimits.visit(incoming);
  refuseForeign(incoming, parts.publicUrl());
  const sent = await readForm(incoming);
  const next = sent.get("next") ?? "";
  const keyOwner = await findKey(store.read, (sent.get("key") ?? "").trim(), { now: now() });
  if (typeof keyOwner === "string" || keyOwner.org === undefined) {
    parts.rateLimits.refuse(incoming);
    const problem = "The key is unknown, expired or revoked";
    return signInForm(request, parts, { next, problem, status: 403, isKeyRefused: true });
  }
  if (parts.ssoOrgs.has(keyOwner.org.name) && !isOperatorsAdmin(keyOwner.caller)) {
    const problem = `People of ${keyOwner.org.name} sign in with a provider, not with a key`;
    return signInForm(request, parts, { next, problem, status: 403 });
  }
  request.identified(keyOwner.caller);
  const { keyId, orgId } = keyOwner.caller;
  const client = incoming.headers["user-agent"]?.slice(0, 200) ?? null;
  const cookies = new Cookies(parts.publicUrl());
  const earlier = cookiesIn(incoming.headers.cookie).get(cookies.nameOf("session"));
  const token = await store.write(
    async (db) => {
      if (earlier !== undefined) await forgetSession(db, earlier);
      return beginSession(db, { keyId, address: source.address, client, now: now() });
    },
    { orgId },
  );
  const cookie = cookies.set("session", token, SESSION_SECONDS);
  return seeOther(ownPath(next) ?? pathsOf(parts).root(), parts, cookie);
}

async function signOut(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  const { incoming } = request;
  const { store, now } = parts.context;
  refuseForeign(incoming, parts.publicUrl());
  const cookies = new Cookies(parts.publicUrl());
  const { read, write } = store;
  const known = { read, write, publicOrgs: parts.publicOrgs, ssoOrgs: parts.ssoOrgs, cookies, now: now() };
  const {
    viewers: [viewer],
  } = await viewersOf(incoming, undefined, known);
  const back = pathsOf(parts).root("login");
  const removed = cookies.remove("session");
  if (viewer?.kind !== "account") return seeOther(back, parts, removed);
  requireFormToken(await readForm(incoming), viewer.formToken);
  const { sessionId: id, org, person } = viewer;
  const ended = await store.write((db) => endSession(db, { id, ...sessionOwner(viewer) }), { orgId: org.id });
  const provider = ended?.provider;
  if (person === undefined || !provider) return seeOther(back, parts, removed);
  const left = await signedOutPage(request, parts, { provider, personId: person.id, idToken: ended.idToken });
  return { ...left, headers: { ...left.headers, "set-cookie": removed } };
}

async function openShare({ incoming, pathParams }: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(incoming);
  const { store, now } = parts.context;
  const { token = "" } = pathParams;
  const share = await findShare(store.read, token, now());
  if (share === undefined) throw new NotFound("share_link.not_found", "This link is invalid or has expired");
  const cookie = new Cookies(parts.publicUrl()).set("share", token, share.expiresAt - now());
  const to = pathsOf(parts, share.org.name);
  const picture = to.page("flows", share.place, "badge.svg");
  return seeOther(share.kind === "badge" ? picture : subjectPath(share, to), parts, cookie);
}

async function showUnsubscribe(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  const rule = await subscriptionOf(parts.context, request.pathParams["token"] ?? "");
  const main = html`<p>You receive emails from the notification rule ${text(rule)}.</p>
<form class="act" method="post"><p><button type="submit">Unsubscribe</button></p></form>`;
  return plainPage({ title: "Unsubscribe", main, isSecret: true }, request, parts);
}

async function confirmUnsubscribe(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  await unsubscribe(parts.context, request.pathParams["token"] ?? "");
  const main = html`<p>You will receive no more emails from this notification rule.</p>`;
  return plainPage({ title: "Unsubscribed", main, isSecret: true }, request, parts);
}
