import { html } from "hono/html";
import type { Html } from "../html.ts";
import { visible } from "./text.ts";

/** A fingerprint or a commit: its beginning is seen, all of it is there to be copied, and on paper. */
export function digest(value: string): Html {
  // The interface takes any text for the commit of a trail.
  const shown = visible(value);
  return html`<code class="digest" title="${shown}">${shown}</code>${copyButton(value)}`;
}

/** A button that copies. It is there only where a script can do it. */
export function copyButton(value: string): Html {
  return html`<button type="button" class="copy" data-copy="${value}" hidden>Copy</button>`;
}
