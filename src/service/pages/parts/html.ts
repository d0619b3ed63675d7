import { html } from "hono/html";

export { html };

/** HTML whose texts are escaped: what the tag `html` of hono gives. */
export type Html = ReturnType<typeof html>;

/** A text written by users: it keeps its direction to itself, and its invisible characters are shown as escapes. */
export function text(value: string | null | undefined): Html {
  return html`<bdi>${visible(value ?? "")}</bdi>`;
}

export function longText(value: string | null | undefined): Html {
  return value ? html`<p class="text" dir="auto">${visible(value)}</p>` : html``;
}

/** Controls and marks of format, except line breaks, tabs, and the joiners that some scripts need. */
const UNSEEN = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A text in which every character can be seen. */
export function visible(value: string): string {
  return value.replace(UNSEEN, (found) => `\\u${found.codePointAt(0)?.toString(16).padStart(4, "0")}`);
}

export function firstLine(message: string | null | undefined): string {
  return (message ?? "").split("\n", 1)[0] ?? "";
}

export function link(href: string, name: string): Html {
  return html`<a href="${href}">${text(name)}</a>`;
}

/** Links http and https addresses only and shows others as text. A label is followed by the host. */
export function safeLink(address: string | null | undefined, name?: string): Html {
  if (address === null || address === undefined || address === "") return html``;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return text(name ? `${name} (${address})` : address);
  const label = name ?? visible(address);
  const host = name === undefined ? "" : html` <span class="quiet">(${url.host})</span>`;
  return html`<a href="${url.href}" rel="noreferrer noopener nofollow ugc">${text(label)}</a>${host}`;
}

/** A fingerprint or a commit: shortened on screen, whole for copying and on paper. */
export function digest(value: string): Html {
  // The commit of a trail may be any text.
  const shown = visible(value);
  return html`<code class="digest" title="${shown}">${shown}</code>${copyButton(value)}`;
}

/** A button that copies. A script shows it where it works. */
export function copyButton(value: string): Html {
  return html`<button type="button" class="copy" data-copy="${value}" hidden>Copy</button>`;
}

export function plainList(items: readonly Html[]): Html | undefined {
  return list(items, "plain");
}

/** A list; nothing without items. */
export function list(items: readonly Html[], look?: "tags" | "reasons" | "plain"): Html | undefined {
  if (items.length === 0) return undefined;
  const all = items.map((each) => html`<li>${each}</li>`);
  return look === undefined ? html`<ul>${all}</ul>` : html`<ul class="${look}">${all}</ul>`;
}
