import type { Answer } from "../http/error-answer.ts";
import type { ServedPage } from "../http/page-host.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { PERSON_SECONDS } from "../people/members/person-sessions.ts";
import { answerDeviceLogin, typedUserCode, waitingDeviceLogin } from "../people/sign-in/device-logins.ts";
import { Cookies } from "./cookies.ts";
import { facts } from "./parts/blocks.ts";
import { alertBox, field, questionForm } from "./parts/form.ts";
import { type Html, html, text } from "./parts/html.ts";
import { time } from "./parts/time.ts";
import { type PageParts, pageRequest, pathsOf, plainPage, seeOther, signInAddress } from "./render.ts";
import { readForm, refuseForeign, requireFormToken } from "./sent-form.ts";
import { type Viewer, viewersOf } from "./viewers.ts";

/** Pages on which a person lets a command line act in their name. */
export function devicePages(parts: PageParts): ServedPage[] {
  return [
    { method: "GET", path: "/login/device", name: "page", serve: (request) => show(request, parts) },
    { method: "POST", path: "/login/device/answer", name: "form", serve: (request) => act(request, parts) },
  ];
}

const HOURS = PERSON_SECONDS["command line"] / 3_600;
const UNKNOWN = "The code is wrong, was used or has expired. Check it, or run the command again";

type Account = Extract<Viewer, { kind: "account" }>;

/** A page about a code, for its viewer. */
interface Asked {
  readonly request: RoutedRequest;
  readonly parts: PageParts;
  readonly viewer: Account;
}

async function show(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  const viewer = await accountOf(request, parts);
  if (viewer === undefined) return seeOther(signInAddress(request, parts), parts);
  const asked = { request, parts, viewer };
  if (viewer.person === undefined) return refuseKey(asked);
  const typed = new URLSearchParams(request.target.query).get("user_code");
  if (typed === null) return codeForm(asked);
  const userCode = typedUserCode(typed);
  const { store, now } = parts.context;
  const waiting = userCode && (await waitingDeviceLogin(store.read, userCode, now()));
  if (!waiting) return wrongCode(asked);
  const { form } = pageRequest(request, viewer, parts).request;
  const { root } = pathsOf(parts);
  const answer = (act: "approve" | "deny", button: string) =>
    form({
      ...{ act, button, action: root("login", "device", "answer") },
      content: html`<input type="hidden" name="user_code" value="${userCode}">`,
      ...(act === "deny" && { isDangerous: true }),
    });
  const address = waiting.address ?? "unknown";
  const where =
    waiting.address === request.source.address ? "as this browser" : "not the address of this browser";
  const main = html`<p>A command line asks to sign in as you for ${HOURS} hours. It can then do all that you may do in ${text(new Intl.ListFormat("en").format(viewer.person.orgs))}.</p>
<p class="user-code"><code>${userCode}</code></p>
${facts([
  ["Machine", text(waiting.device ?? "unknown")],
  ["Address", html`${text(address)} (${where})`],
  ["Requested", time(waiting.createdAt)],
])}
<p><strong>Approve only what you started yourself.</strong> Your terminal must show the same code. If another person sent you the code or the link, deny the request, because they would act in your name.</p>
<div class="answers">${answer("approve", "Approve")}${answer("deny", "Deny")}</div>`;
  return page(asked, { main });
}

async function act(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  refuseForeign(request.incoming, parts.publicUrl());
  const viewer = await accountOf(request, parts);
  if (viewer === undefined) return seeOther(pathsOf(parts).root("login"), parts);
  const asked = { request, parts, viewer };
  const sent = await readForm(request.incoming);
  requireFormToken(sent, viewer.formToken);
  if (viewer.person === undefined) return refuseKey(asked);
  request.identified(viewer.caller);
  const userCode = typedUserCode(sent.get("user_code") ?? "");
  const answer = sent.get("act") === "approve" ? "approved" : "denied";
  const answered =
    userCode !== undefined &&
    (await answerDeviceLogin(parts.context, {
      ...{ userCode, answer, personId: viewer.person.id, sessionId: viewer.sessionId },
    }));
  if (!answered) return wrongCode(asked);
  const settings = html`<a href="${pathsOf(parts).root("settings")}">settings</a>`;
  const main =
    answer === "approved"
      ? html`<p>Approved. The command line signs in within seconds, and you can close this page. To end its session, use your ${settings} or <code>delivery-evidence logout</code>.</p>`
      : html`<p>Denied. The command line is not signed in, and you can close this page.</p>`;
  return page(asked, { main });
}

async function accountOf({ incoming }: RoutedRequest, parts: PageParts): Promise<Account | undefined> {
  const { context, publicOrgs, ssoOrgs, publicUrl } = parts;
  const { read, write } = context.store;
  const known = { read, write, publicOrgs, ssoOrgs, cookies: new Cookies(publicUrl()), now: context.now() };
  const { viewers } = await viewersOf(incoming, undefined, known);
  return viewers.find((viewer) => viewer.kind === "account");
}

/** A key belongs to a program or a team, so its session identifies no person. */
function refuseKey(asked: Asked): Promise<Answer> {
  const signIn = html`<a href="${signInAddress(asked.request, asked.parts)}">Sign in with a provider</a>`;
  const main = html`${alertBox(html`<p>You are signed in with an API key. Only a person can approve a command line.</p>`)}
<p>${signIn}, or set <code>EVIDENCE_API_KEY</code> for the command line instead.</p>`;
  return page(asked, { main, status: 403 });
}

function wrongCode(asked: Asked): Promise<Answer> {
  asked.parts.rateLimits.refuse(asked.request.incoming);
  return codeForm(asked, UNKNOWN);
}

function codeForm(asked: Asked, problem?: string): Promise<Answer> {
  const code = field({
    ...{ name: "user_code", label: "Code", hint: "As your terminal shows it: BDWP-HQPK", isRequired: true },
  });
  const { root } = pathsOf(asked.parts);
  const main = html`${problem === undefined ? "" : alertBox(html`<p>${problem}.</p>`)}
${questionForm(code, "Code of the command line", "Continue", root("login", "device"))}`;
  return page(asked, { main, ...(problem === undefined ? {} : { status: 400 }) });
}

function page(
  { request, parts, viewer }: Asked,
  shown: { readonly main: Html; readonly status?: 400 | 403 },
): Promise<Answer> {
  return plainPage(
    { title: "Sign in on the command line", ...shown, isSecret: true },
    request,
    parts,
    viewer,
  );
}
