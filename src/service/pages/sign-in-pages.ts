import { openedIn } from "../delivery/rules/secrets.ts";
import type { Answer } from "../http/error-answer.ts";
import type { ServedPage } from "../http/page-host.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { Invalid, Refusal, Unproven } from "../kernel/errors.ts";
import { scopeText } from "../kernel/scope.ts";
import { visible } from "../kernel/visible-text.ts";
import { PERSON_SECONDS } from "../people/members/person-sessions.ts";
import { findSession } from "../people/sessions.ts";
import { endProviderSessions } from "../people/sign-in/back-channel.ts";
import { findProvider } from "../people/sign-in/find-provider.ts";
import { linkIdentity } from "../people/sign-in/linked-identities.ts";
import type { Profile } from "../people/sign-in/profile.ts";
import type { LoginProvider } from "../people/sign-in/provider.ts";
import { rolesFor } from "../people/sign-in/role-map.ts";
import { noRole, requireAllowed, signPersonIn } from "../people/sign-in/sign-in.ts";
import {
  beginTransaction,
  isSameState,
  TRANSACTION_SECONDS,
  type Transaction,
  transactionIn,
} from "../people/sign-in/transaction.ts";
import { unknownOrganizations } from "../people/sign-in/unknown-organizations.ts";
import { Cookies, cookiesIn } from "./cookies.ts";
import { invitationPage, isConfirmed, showInvitation } from "./invitation-page.ts";
import { ownPath } from "./own-path.ts";
import { facts } from "./parts/blocks.ts";
import { alertBox } from "./parts/form.ts";
import { html, text } from "./parts/html.ts";
import { type PageParts, pathsOf, plainPage, seeOther } from "./render.ts";
import { FORM_TOKEN, formTokenOf, isFormToken, readForm } from "./sent-form.ts";
import { signInForm } from "./sign-in-form.ts";

/** Pages between the sign-in form and a provider. */
export function signInPages(parts: PageParts): ServedPage[] {
  const page = (path: string, serve: Serve): ServedPage => {
    return { method: "GET", path, name: "page", serve: (request) => serve(request, parts) };
  };
  return [
    page("/login/:provider", toProvider),
    page("/login/:provider/callback", fromProvider),
    {
      method: "POST",
      path: "/login/:provider/backchannel-logout",
      name: "form",
      serve: (request) => logOut(request, parts),
    },
    page("/invitations/:token", showInvitation),
  ];
}

type Serve = (request: RoutedRequest, parts: PageParts) => Promise<Answer>;

async function toProvider(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  const provider = await findProvider(parts, request.pathParams["provider"] ?? "");
  const query = new URLSearchParams(request.target.query);
  const invitation = query.get("invitation");
  if (invitation !== null && !isConfirmed(request, parts))
    return seeOther(pathsOf(parts).root("invitations", invitation), parts);
  const person = query.has("link") ? await personIn(request, parts) : undefined;
  const mayLink = person !== undefined && isFormToken(query.get(FORM_TOKEN), person.formToken);
  if (query.has("link") && !mayLink) return seeOther(pathsOf(parts).root("settings"), parts);
  const purpose = purposeOf(query);
  const next = person?.id ?? invitation ?? ownPath(query.get("next") ?? "") ?? "";
  const { checks, cookie } = beginTransaction({ provider: provider.name, purpose, next });
  try {
    const party = parts.logins.partyOf(provider);
    const url = await party.authorization(parts.context.links.loginCallback(provider.name), checks);
    const set = new Cookies(parts.publicUrl()).set("login", cookie, TRANSACTION_SECONDS);
    return seeOther(url.href, parts, set);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refusedForm(request, parts, { purpose, next }, error);
  }
}

function purposeOf(query: URLSearchParams): Transaction["purpose"] {
  if (query.has("link")) return "link";
  if (query.has("test")) return "test";
  return query.has("invitation") ? "join" : "sign-in";
}

/** The person who is signed in, with the form token of the session. */
async function personIn({ incoming }: RoutedRequest, parts: PageParts) {
  const token =
    cookiesIn(incoming.headers.cookie).get(new Cookies(parts.publicUrl()).nameOf("session")) ?? "";
  const { store, now } = parts.context;
  const session = await findSession(store.read, token, now());
  return session?.person && { id: session.person.id, formToken: formTokenOf(token) };
}

function refusedForm(
  request: RoutedRequest,
  parts: PageParts,
  { purpose, next }: Pick<Transaction, "purpose" | "next">,
  error: Pick<Refusal, "message" | "status">,
): Promise<Answer> {
  const problem = { problem: error.message, status: isProviders(error) ? error.status : (403 as const) };
  if (purpose === "link") {
    const main = html`${alertBox(html`<p>${visible(error.message)}.</p>`)}
<p><a class="button" href="${pathsOf(parts).root("settings")}">Back to the settings</a></p>`;
    const title = "The account was not linked";
    return plainPage({ title, main, isSecret: true, status: problem.status }, request, parts);
  }
  return purpose === "join"
    ? invitationPage(request, parts, next, problem)
    : signInForm(request, parts, { next, ...problem });
}

/** Whether the provider failed, and not the person. */
function isProviders(error: Pick<Refusal, "status">): error is { message: string; status: 502 | 503 } {
  return error.status === 502 || error.status === 503;
}

async function fromProvider(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  const { incoming, target } = request;
  parts.rateLimits.visit(incoming);
  const provider = await findProvider(parts, request.pathParams["provider"] ?? "");
  const cookies = new Cookies(parts.publicUrl());
  const sent = cookiesIn(incoming.headers.cookie);
  const transaction = transactionIn(sent.get(cookies.nameOf("login")), provider.name);
  const failed = (error: Pick<Refusal, "message" | "status">) =>
    refusedForm(request, parts, transaction ?? { purpose: "sign-in", next: "" }, error);
  const refused = (message: string) => {
    parts.rateLimits.refuse(incoming);
    return failed({ message, status: 403 });
  };
  const state = new URLSearchParams(target.query).get("state");
  if (transaction === undefined || !isSameState(transaction.checks, state)) {
    return refused("This sign-in has ended, or was started in another tab: sign in again");
  }
  const { next, purpose } = transaction;
  try {
    const profile = await profileFrom(request, parts, { provider, transaction });
    if (purpose === "test") return await testPage(request, parts, { provider, profile });
    if (purpose === "link") return await link(request, parts, { provider, profile, personId: next });
    const signed = await signPersonIn(parts.context, {
      ...{ provider, profile, source: request.source, log: parts.logins.log },
      client: incoming.headers["user-agent"]?.slice(0, 200) ?? null,
      earlier: sent.get(cookies.nameOf("session")),
      ...(purpose === "join" ? { invitation: next } : {}),
    });
    if ("problem" in signed) return refused(signed.problem);
    const cookie = cookies.set("session", signed.token, PERSON_SECONDS.browser);
    return seeOther(ownPath(next) ?? pathsOf(parts).root(...signed.joined), parts, cookie);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return isProviders(error) ? failed(error) : refused(error.message);
  }
}

/** Links an account to the person who began. The browser must still be signed in as that person. */
async function link(
  request: RoutedRequest,
  parts: PageParts,
  { personId, ...proven }: { provider: LoginProvider; profile: Profile; personId: string },
): Promise<Answer> {
  const { source } = request;
  if ((await personIn(request, parts))?.id !== personId)
    throw new Unproven(
      "login.refused",
      "You signed out meanwhile: sign in again, and link the account again",
    );
  const by = { personId, source, now: parts.context.now() };
  await parts.context.store.write((db) => linkIdentity(db, proven, by));
  return seeOther(pathsOf(parts).root("settings"), parts);
}

/** The public address counts, whatever host a proxy names. */
async function profileFrom(
  { target }: RoutedRequest,
  parts: PageParts,
  { provider, transaction }: { provider: LoginProvider; transaction: Transaction },
): Promise<Profile> {
  const callback = new URL(parts.context.links.loginCallback(provider.name));
  callback.search = target.query;
  return parts.logins.partyOf(provider).profile(callback, transaction.checks);
}

/** A provider tells that a person signed out there. */
async function logOut({ incoming, pathParams }: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(incoming);
  const provider = await findProvider(parts, pathParams["provider"] ?? "");
  const token = (await readForm(incoming)).get("logout_token") ?? "";
  try {
    await endProviderSessions(parts.context, provider, await parts.logins.partyOf(provider).loggedOut(token));
  } catch (error) {
    if (!(error instanceof Unproven)) throw error;
    parts.rateLimits.refuse(incoming);
    throw new Invalid(error.code, error.message);
  }
  return { status: 200, headers: { "cache-control": "no-store" }, body: "" };
}

interface Ended {
  readonly provider: string;
  readonly personId: string;
  readonly idToken: string | null;
}

/** The session here has ended. The one at the provider ends when the person wants it. */
export async function signedOutPage(
  request: RoutedRequest,
  parts: PageParts,
  { provider: name, personId, idToken }: Ended,
): Promise<Answer> {
  const to = pathsOf(parts);
  const back = to.root("login");
  const provider = await findProvider(parts, name).catch(() => undefined);
  const token = openedIn(parts.context.secrets, personId, idToken);
  // The session here has ended whether or not the provider answers.
  const url =
    provider &&
    (await parts.logins
      .partyOf(provider)
      .signOut(token, to.whole(back))
      .catch(() => undefined));
  const also =
    provider && url && html`<p><a href="${url.href}">Also sign out of ${text(provider.label)}</a></p>`;
  const main = html`<p>Your session on this browser has ended.</p>${also ?? ""}<p><a class="button" href="${back}">Sign in again</a></p>`;
  return plainPage({ title: "Signed out", main, isSecret: true }, request, parts);
}

const MOST_CLAIM = 2_000;

/** Shows a person their own claims, and the role that they would give. */
async function testPage(
  request: RoutedRequest,
  parts: PageParts,
  { provider, profile }: { provider: LoginProvider; profile: Profile },
): Promise<Answer> {
  const unknown =
    provider.org === undefined ? await unknownOrganizations(parts.context.store.read, provider) : [];
  const roles = [...rolesFor(provider, profile.groups)].filter(([org]) => !unknown.includes(org));
  const problem =
    problemOf(provider, profile) ?? (roles.length === 0 ? noRole(provider, profile) : undefined);
  const main = html`${problem === undefined ? "" : alertBox(html`<p>${text(problem)}.</p>`)}
${unknown.length === 0 ? "" : alertBox(html`<p>The role map names organizations that do not exist: ${text(unknown.join(", "))}.</p>`)}
<p>You are not signed in. This test shows what ${text(provider.label)} sends about you, and the roles that you would get.</p>
<h2>Roles</h2>
${roles.length === 0 ? html`<p>None.</p>` : facts(roles.map(([org, { role, scope }]) => [org, text(`${role} ${scopeText(scope)}`)] as const))}
<h2>Claims</h2>
${facts(Object.entries(profile.claims).map(([name, value]) => [visible(name), html`<code>${text(claimText(value).slice(0, MOST_CLAIM))}</code>`] as const))}
<p><a class="button" href="${pathsOf(parts).root("login")}">Go to the sign-in page</a></p>`;
  return plainPage({ title: `Test of ${provider.label}`, main, isSecret: true }, request, parts);
}

function claimText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function problemOf(provider: LoginProvider, profile: Profile): string | undefined {
  try {
    requireAllowed(provider, profile);
    return undefined;
  } catch (error) {
    if (error instanceof Unproven) return error.message;
    throw error;
  }
}
