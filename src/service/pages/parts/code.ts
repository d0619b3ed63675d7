import { html } from "hono/html";
import type { Html } from "../html.ts";
import { copyButton } from "./digest.ts";

/** Lines to copy. */
export function code(lines: string): Html {
  return html`<div class="code">${copyButton(lines)}<pre tabindex="0"><code>${lines}</code></pre></div>`;
}
