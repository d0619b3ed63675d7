import { html } from "hono/html";
import { subscriptionOf, unsubscribe } from "../delivery/rules/unsubscribe.ts";
import type { Answer } from "../http/error-answer.ts";
import type { ServedPage } from "../http/page-host.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { text } from "./parts/text.ts";
import { type PageParts, plainPage } from "./render.ts";

const PATH = "/share/unsubscribe/:token";

/**
 * Where a mail's link to unsubscribe leads. A GET changes nothing, because programs that check mails open links. Mail
 * programs send the POST themselves (RFC 8058): no session and no form of ours is required for it.
 */
export function unsubscribePages(parts: PageParts): ServedPage[] {
  return [
    { method: "GET", path: PATH, name: "page", serve: (request) => ask(request, parts) },
    { method: "POST", path: PATH, name: "form", serve: (request) => confirm(request, parts) },
  ];
}

async function ask(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  const rule = await subscriptionOf(parts.context, request.pathParams["token"] ?? "");
  const main = html`<p>You get mails from the notification rule ${text(rule)}.</p>
<form class="act" method="post"><p><button type="submit">Unsubscribe</button></p></form>`;
  return plainPage({ title: "Unsubscribe", main, isSecret: true }, request, parts);
}

async function confirm(request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  await unsubscribe(parts.context, request.pathParams["token"] ?? "");
  const main = html`<p>You get no more mails from this notification rule.</p>`;
  return plainPage({ title: "Unsubscribed", main, isSecret: true }, request, parts);
}
