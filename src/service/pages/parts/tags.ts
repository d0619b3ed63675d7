import { html } from "hono/html";
import type { Html } from "../html.ts";
import { text } from "./text.ts";

/** Tags as `key=value`; nothing when there are none. */
export function tags(pairs: Readonly<Record<string, unknown>> | null | undefined): Html | undefined {
  const all = Object.entries(pairs ?? {});
  if (all.length === 0) return undefined;
  return html`<ul class="tags">${all.map(([key, value]) => html`<li>${text(`${key}=${value}`)}</li>`)}</ul>`;
}
