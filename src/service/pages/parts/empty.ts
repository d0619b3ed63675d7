import { html } from "hono/html";
import type { Html } from "../html.ts";
import { code } from "./code.ts";
import type { HowTo } from "./how-to.ts";

/** Stands where a list has nothing: says so, and how to make the first record. */
export function empty(nothing: string, first?: HowTo): Html {
  return html`<div class="empty"><p>${nothing}</p>${first === undefined ? "" : html`<p>${first.title}:</p>${code(first.code)}`}</div>`;
}
