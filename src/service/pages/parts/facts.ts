import { html } from "hono/html";
import type { Html } from "../html.ts";
import { visible } from "./text.ts";

/** Names with values. Those without a value are left out. */
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
