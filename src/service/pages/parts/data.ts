import { html } from "hono/html";
import type { Html } from "../html.ts";
import { visible } from "./text.ts";

/** Data as it was recorded, to be unfolded. Numbers keep their digits. Nothing where it has no fields. */
export function data(summary: string, value: unknown): Html {
  if (value === undefined || value === null) return html``;
  if (typeof value === "object" && Object.keys(value).length === 0) return html``;
  return html`<details class="data"><summary>${summary}</summary><pre tabindex="0" dir="auto">${visible(JSON.stringify(value, null, 2))}</pre></details>`;
}
