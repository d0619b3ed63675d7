import { html } from "hono/html";
import type { Html } from "../html.ts";
import { visible } from "../parts/text.ts";
import { type Line, lineDiff } from "./line-diff.ts";

const SIGNS: Readonly<Record<Line["side"], string>> = { both: " ", before: "-", after: "+" };
const WORDS: Readonly<Record<Line["side"], string>> = {
  both: "",
  before: "only of this trail: ",
  after: "only of the flow: ",
};

/** Says how the template of a flow differs from that of one of its trails; nothing where it does not. */
export function templateNow(ofTrail: string | null | undefined, ofFlow: unknown): Html {
  if (!ofTrail || typeof ofFlow !== "string" || ofTrail.trim() === ofFlow.trim()) return html``;
  return html`<details><summary>The flow asks for something else now</summary>
<p>This trail keeps the template that it was begun with. Lines with - are of this trail, lines with + of its flow.</p>
<pre class="diff" tabindex="0">${lineDiff(ofTrail.trim(), ofFlow.trim()).map(
    ({
      side,
      line,
    }) => html`<span class="${side}"><span aria-hidden="true">${SIGNS[side]} </span><span class="unseen">${WORDS[side]}</span>${visible(line)}
</span>`,
  )}</pre></details>`;
}
