import { html } from "hono/html";
import type { Answer } from "../http/error-answer.ts";
import type { ServedPage } from "../http/page-host.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { findKey } from "../people/accounts/keys.ts";
import { beginSession, endSession, forgetSession, SESSION_SECONDS } from "../people/sessions.ts";
import { Cookies, cookiesIn } from "./cookies.ts";
import { safetyHeaders } from "./page-answer.ts";
import { field } from "./parts/field.ts";
import { makePaths } from "./paths.ts";
import { type PageParts, plainPage, seeOther } from "./render.ts";
import { readForm, refuseForeign, requireFormToken } from "./sent-form.ts";
import { viewersOf } from "./viewers.ts";

/** How people come in and go out: with an API key, for a day. */
export function signInPages(parts: PageParts): ServedPage[] {
  return [
    { method: "GET", path: "/login", name: "page", serve: (request) => askForKey(request, parts) },
    { method: "POST", path: "/login", name: "form", serve: (request) => signIn(request, parts) },
    { method: "POST", path: "/logout", name: "form", serve: (request) => signOut(request, parts) },
  ];
}

async function askForKey(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  return keyForm(request, parts, new URLSearchParams(request.target.query).get("next") ?? "");
}

function keyForm(request: RoutedRequest, parts: PageParts, next: string, refused = false): Promise<Answer> {
  const main = html`${refused ? html`<div class="alert" role="alert" tabindex="-1"><p>The key is not known, or it does not work any more.</p></div>` : ""}
<form class="act" method="post" action="${makePathsOf(parts).root("login")}">
<input type="hidden" name="next" value="${ownPath(next) ?? ""}">
${field({
  name: "key",
  label: "API key",
  type: "password",
  hint: "A key of your service account. You stay signed in for a day.",
  isRequired: true,
  autocomplete: "current-password",
})}
<p><button type="submit">Sign in</button></p>
</form>`;
  return plainPage(
    { title: "Sign in", main, isSecret: true, ...(refused ? { status: 403 } : {}) },
    request,
    parts,
  );
}

async function signIn(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  const { incoming, source } = request;
  const { store, now } = parts.context;
  parts.rateLimits.visit(incoming);
  refuseForeign(incoming, parts.publicUrl());
  const sent = await readForm(incoming);
  const next = sent.get("next") ?? "";
  const holder = await findKey(store.read, (sent.get("key") ?? "").trim(), { now: now() });
  if (typeof holder === "string" || holder.org === undefined) {
    parts.rateLimits.refuse(incoming);
    return keyForm(request, parts, next, true);
  }
  request.identified(holder.caller);
  const { keyId } = holder.caller;
  const client = incoming.headers["user-agent"]?.slice(0, 200) ?? null;
  const cookies = new Cookies(parts.publicUrl());
  const earlier = cookiesIn(incoming.headers.cookie).get(cookies.nameOf("session"));
  const token = await store.write(async (db) => {
    if (earlier !== undefined) await forgetSession(db, earlier);
    return beginSession(db, { keyId, address: source.address, client, now: now() });
  });
  const cookie = cookies.set("session", token, SESSION_SECONDS);
  return away(ownPath(next) ?? makePathsOf(parts).root(), cookie, parts);
}

async function signOut(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  const { incoming } = request;
  const { store, now } = parts.context;
  refuseForeign(incoming, parts.publicUrl());
  const cookies = new Cookies(parts.publicUrl());
  const known = { store, publicOrgs: parts.publicOrgs, cookies, now: now() };
  const {
    viewers: [viewer],
  } = await viewersOf(incoming, undefined, known);
  if (viewer?.kind === "account") {
    requireFormToken(await readForm(incoming), viewer.formToken);
    const { sessionId: id, caller } = viewer;
    await store.write((db) => endSession(db, { id, accountId: caller.accountId }));
  }
  return away(makePathsOf(parts).root("login"), cookies.remove("session"), parts);
}

function away(location: string, cookie: string, parts: PageParts): Answer {
  const headers = { ...safetyHeaders(parts.publicUrl()), "cache-control": "no-store", "set-cookie": cookie };
  return seeOther(location, headers);
}

function makePathsOf({ publicUrl, assets }: PageParts) {
  return makePaths({ publicUrl: publicUrl(), org: "", assets });
}

const OWN = "http://own.invalid";

/**
 * Where a text leads in this service, written as headers have it. Undefined when a browser would go elsewhere: it takes
 * `//host` and `/\host` for another host, also where they are what is left of `/..//host`.
 */
function ownPath(text: string): string | undefined {
  if (!/^\/(?![/\\])/.test(text)) return undefined;
  const url = URL.parse(text, OWN);
  return url?.origin !== OWN || url.pathname.startsWith("//") ? undefined : url.pathname + url.search;
}
