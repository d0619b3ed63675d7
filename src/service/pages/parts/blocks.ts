import { copyButton, type Html, html, list, plainList, safeLink, text, visible } from "./html.ts";

export interface HowTo {
  readonly title: string;
  readonly code: string;
}

/** A list of names and values. Names without a value are omitted. */
export function facts(
  pairs: readonly (readonly [string, Html | string | number | null | undefined])[],
): Html {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (known.length === 0) return html``;
  return html`<dl class="facts">${known.map(
    ([name, value]) => html`<div><dt>${visible(name)}</dt><dd>${value}</dd></div>
`,
  )}</dl>`;
}

export function empty(nothing: string, first?: HowTo): Html {
  return html`<div class="empty"><p>${nothing}</p>${first === undefined ? "" : html`<p>${first.title}:</p>${code(first.code)}`}</div>`;
}

export function code(lines: string): Html {
  return html`<div class="code">${copyButton(lines, "these lines")}<pre tabindex="0"><code>${lines}</code></pre></div>`;
}

/** A text with line numbers that are not copied with it. */
export function numberedLines(content: string): Html {
  const lines = content.replace(/\n$/, "").split("\n");
  return html`<pre class="lines" tabindex="0">${lines.map(
    (line) => html`<span>${visible(line)}</span>
`,
  )}</pre>`;
}

/** Folded data as it was recorded; empty if it has no fields. Numbers keep their digits. */
export function data(summary: string, value: unknown): Html {
  if (value === undefined || value === null) return html``;
  if (typeof value === "object" && Object.keys(value).length === 0) return html``;
  return html`<details class="data"><summary>${summary}</summary><pre tabindex="0" dir="auto">${visible(JSON.stringify(value, null, 2))}</pre></details>`;
}

export function tags(pairs: Readonly<Record<string, unknown>> | null | undefined): Html | undefined {
  return list(
    Object.entries(pairs ?? {}).map(([key, value]) => text(`${key}=${value}`)),
    "tags",
  );
}

export function externalLinks(links: Readonly<Record<string, unknown>> | null | undefined): Html | undefined {
  const all = Object.entries(links ?? {});
  const addressOf = (value: unknown) => String(typeof value === "string" ? value : Object(value).href);
  return plainList(all.map(([label, value]) => safeLink(addressOf(value), label)));
}

/** The part of a page that the script refreshes until it is paused. */
export function live(content: Html): Html {
  return html`<p class="live" hidden><button type="button">Pause</button> <span class="quiet" role="status">This page updates automatically.</span></p>
<div data-live>${content}</div>`;
}

export function shownOnce({ id, label, value }: { id: string; label: string; value: string }): Html {
  return html`<p class="field"><label for="${id}">${label}</label>
<input class="secret" id="${id}" type="text" readonly value="${value}" autocomplete="off" spellcheck="false">${copyButton(value, label)}</p>
<p><strong>Copy it now.</strong> It is not shown again.</p>`;
}

/** Replaces a secret if its form is submitted again. */
export const ALREADY_SHOWN = html`<p class="lead">It has already been shown and cannot be shown again.</p>`;
