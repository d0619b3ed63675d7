import { html } from "hono/html";
import type { Html } from "../html.ts";

/** Leads to the pages of a list before and after this one; nothing where there is none. */
export function pager({
  previous,
  next,
}: {
  previous?: string | undefined;
  next?: string | undefined;
}): Html {
  if (previous === undefined && next === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages of the list">
${previous === undefined ? "" : html`<a rel="prev" href="${previous}">Previous</a>`}
${next === undefined ? "" : html`<a rel="next" href="${next}">Next</a>`}
</nav>`;
}
