import type { Answer } from "../http/error-answer.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { scopeText } from "../kernel/scope.ts";
import { findInvitation, UNUSABLE } from "../people/members/invitations.ts";
import { newToken } from "../people/sessions.ts";
import { providersFor } from "../people/sign-in/find-provider.ts";
import { Cookies, cookiesIn } from "./cookies.ts";
import { facts } from "./parts/blocks.ts";
import { alertBox } from "./parts/form.ts";
import { html, text, visible } from "./parts/html.ts";
import { utc } from "./parts/time.ts";
import { type PageParts, plainPage } from "./render.ts";
import { FORM_TOKEN, formTokenOf, isFormToken, maskedFormToken } from "./sent-form.ts";
import { providerButtons } from "./sign-in-form.ts";

/** Seconds in which the page's buttons work. */
const JOIN_SECONDS = 60 * 60;

/**
 * Whether a sign-in began with the page of an invitation, so that the person has seen what they join. The page leads
 * to another site, which a form may not, so its links have the form token.
 */
export function isConfirmed({ incoming, target }: RoutedRequest, { publicUrl }: PageParts): boolean {
  const secret = cookiesIn(incoming.headers.cookie).get(new Cookies(publicUrl()).nameOf("join"));
  const sent = new URLSearchParams(target.query).get(FORM_TOKEN);
  return secret !== undefined && isFormToken(sent, formTokenOf(secret));
}

export function showInvitation(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  return invitationPage(request, parts, request.pathParams["token"] ?? "");
}

/** The page with an invitation and the buttons of the providers. */
export async function invitationPage(
  request: RoutedRequest,
  parts: PageParts,
  token: string,
  refused?: { readonly problem: string; readonly status: 403 | 502 | 503 },
): Promise<Answer> {
  const { store, now } = parts.context;
  const invitation = await findInvitation(store.read, token, now());
  if (invitation === undefined) {
    const main = html`${alertBox(html`<p>${UNUSABLE}.</p>`)}
<p>Ask an admin of the organization for another one.</p>`;
    return plainPage({ title: "Invitation", main, isSecret: true, status: 404 }, request, parts);
  }
  const { org, email, role, scope, createdBy, expiresAt } = invitation;
  const providers = await providersFor(parts, org.name);
  const cookies = new Cookies(parts.publicUrl());
  const secret = cookiesIn(request.incoming.headers.cookie).get(cookies.nameOf("join")) ?? newToken();
  const query = { invitation: token, [FORM_TOKEN]: maskedFormToken(formTokenOf(secret)) };
  const main = html`${refused === undefined ? "" : alertBox(html`<p>${visible(refused.problem)}.</p>`)}
${facts([
  ["Organization", text(org.name)],
  ["Role", text(`${role} ${scopeText(scope)}`)],
  ["Email", text(email)],
  ["Invited by", text(createdBy)],
  ["Expires", utc(expiresAt)],
])}
${
  providers.length === 0
    ? html`<p>No login provider signs in to this organization yet. Ask its admin to set one up.</p>`
    : html`<p>To join, sign in with an account that has this email address.</p>
${providerButtons(providers, query, parts)}`
}`;
  const answer = await plainPage(
    {
      title: `Join ${org.name} as ${role}?`,
      main,
      isSecret: true,
      ...(refused === undefined ? {} : { status: refused.status }),
    },
    request,
    parts,
  );
  return {
    ...answer,
    headers: { ...answer.headers, "set-cookie": cookies.set("join", secret, JOIN_SECONDS) },
  };
}
