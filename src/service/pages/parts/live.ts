import { html } from "hono/html";
import type { Html } from "../html.ts";

/** The part of a page that a script keeps up to date while somebody looks at it, until it is told to stop. */
export function live(content: Html): Html {
  return html`<p class="live" hidden><button type="button">Pause</button> <span class="quiet" role="status">This page keeps itself up to date.</span></p>
<div data-live>${content}</div>`;
}
