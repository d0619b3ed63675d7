import { html } from "hono/html";
import type { Html } from "../html.ts";

/** A fingerprint or a commit: its beginning is seen, all of it is there to be copied, and on paper. */
export function digest(value: string): Html {
  return html`<code class="digest" title="${value}">${value}</code>${copyButton(value)}`;
}

/** A button that copies. It is there only where a script can do it. */
export function copyButton(value: string): Html {
  return html`<button type="button" class="copy" data-copy="${value}" hidden>Copy</button>`;
}
