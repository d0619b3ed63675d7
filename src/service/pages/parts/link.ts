import { html } from "hono/html";
import type { Html } from "../html.ts";
import { text, visible } from "./text.ts";

/** A link to a page of this service. */
export function link(href: string, name: string): Html {
  return html`<a href="${href}">${text(name)}</a>`;
}

/**
 * A link to an address that came with the data. Only http and https are linked; anything else is shown as text. Where
 * the link has other words than its address, its host stands beside it.
 */
export function safeLink(address: string | null | undefined, name?: string): Html {
  if (address === null || address === undefined || address === "") return html``;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return text(name ? `${name} (${address})` : address);
  const label = name ?? visible(address);
  const host = name === undefined ? "" : html` <span class="quiet">(${url.host})</span>`;
  return html`<a href="${url.href}" rel="noreferrer noopener nofollow ugc">${text(label)}</a>${host}`;
}
