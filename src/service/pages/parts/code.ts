import { html } from "hono/html";
import type { Html } from "../html.ts";
import { copyButton } from "./digest.ts";
import { visible } from "./text.ts";

/** Lines to copy. */
export function code(lines: string): Html {
  return html`<div class="code">${copyButton(lines)}<pre tabindex="0"><code>${lines}</code></pre></div>`;
}

/** A text with the number of each line beside it, which is not copied. */
export function numberedLines(content: string): Html {
  const lines = content.replace(/\n$/, "").split("\n");
  return html`<pre class="lines" tabindex="0">${lines.map(
    (line) => html`<span>${visible(line)}</span>
`,
  )}</pre>`;
}
