import { Html, html } from "../../kernel/html.ts";
import { visible } from "../../kernel/visible-text.ts";

export { Html, html, visible };

/** A text written by users, with isolated direction and with invisible characters shown as escapes. */
export function text(value: string | null | undefined): Html {
  return html`<bdi>${visible(value ?? "")}</bdi>`;
}

export function longText(value: string | null | undefined): Html {
  return value ? html`<p class="text" dir="auto">${visible(value)}</p>` : html``;
}

export function firstLine(message: string | null | undefined): string {
  return (message ?? "").split("\n", 1)[0] ?? "";
}

/** A link with a name. A name that is a commit or a fingerprint is shortened, with the whole in its title. */
export function link(href: string, name: string): Html {
  const short = shortName(name);
  return html`<a href="${href}"${short === name ? "" : html` title="${name}"`}>${text(short)}</a>`;
}

/** An address with http or https; undefined for others. */
export function safeAddress(address: string | null | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Links http and https addresses and shows others as text. Adds the host after a label. */
export function safeLink(address: string | null | undefined, name?: string): Html {
  if (address === null || address === undefined || address === "") return html``;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return text(name ? `${name} (${address})` : address);
  const label = name ?? visible(address);
  const host = name === undefined ? "" : html` <span class="quiet">(${url.host})</span>`;
  return html`<a href="${url.href}" rel="noreferrer noopener nofollow ugc">${text(label)}</a>${host}`;
}

/** Number of digits of a commit or a fingerprint on screen. */
const SHORT = { commit: 7, fingerprint: 12 } as const;
const DIGEST = /^[0-9a-f]{40,64}$/;

/** A fingerprint or a commit, shortened on screen but complete for copying and in print. */
export function digest(value: string): Html {
  const kind = value.length === 64 ? "fingerprint" : "commit";
  // The commit of a trail may be any text.
  const shown = visible(value);
  const [start, rest] = DIGEST.test(value)
    ? [shown.slice(0, SHORT[kind]), shown.slice(SHORT[kind])]
    : [shown, ""];
  const hidden = rest === "" ? "" : html`<span class="rest">${rest}</span>`;
  return html`<span class="digest"><code title="${shown}">${start}${hidden}</code>${copyButton(value, `${kind} ${start}`)}</span>`;
}

/** The first digits of a name that is a commit or a fingerprint; other names as they are. */
export function shortName(name: string): string {
  return DIGEST.test(name) ? name.slice(0, SHORT.commit) : name;
}

/** A text of users whose commits and fingerprints are shortened, each with the whole in its title. */
export function shortText(value: string | null | undefined): Html {
  const parts = (value ?? "").split(/\b([0-9a-f]{40,64})\b/);
  return html`<bdi>${parts.map((part, index) =>
    index % 2 === 1 ? html`<span title="${part}">${shortName(part)}</span>` : visible(part),
  )}</bdi>`;
}

/** A copy button. The script shows it if the browser supports it. */
export function copyButton(value: string, what: string): Html {
  return html`<button type="button" class="copy" data-copy="${value}" aria-label="Copy ${what}" hidden></button>`;
}

/** Two lines of a list: what people recognize, and below it the details. Missing details are omitted. */
export function row(title: Html, details: readonly (Html | undefined)[]): Html {
  const known = details.filter((each) => each !== undefined);
  return html`<div class="row"><div class="subject">${title}</div>
<p class="meta">${known.map((each) => html`<span>${each}</span>`)}</p></div>`;
}

/** Items with commas between. */
export function commaList(items: readonly Html[]): Html {
  return html`${items.map((each, index) => (index === 0 ? each : html`, ${each}`))}`;
}

export function plainList(items: readonly Html[]): Html | undefined {
  return list(items, "plain");
}

/** A list; undefined if there are no items. */
export function list(items: readonly Html[], look?: "tags" | "reasons" | "plain" | "todo"): Html | undefined {
  if (items.length === 0) return undefined;
  const all = items.map((each) => html`<li>${each}</li>`);
  return look === undefined ? html`<ul>${all}</ul>` : html`<ul class="${look}">${all}</ul>`;
}
