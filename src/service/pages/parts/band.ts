import { type Html, html } from "./html.ts";

/** The result of a page, with a sentence and buttons. CSS takes its color from the result. */
export function band(result: Html, sentence: Html, buttons: readonly (Html | undefined)[] = []): Html {
  const shown = buttons.filter((each) => each !== undefined);
  return html`<div class="band">
<p class="lead">${result} ${sentence}</p>
${shown.length === 0 ? "" : html`<p class="buttons">${shown}</p>`}
</div>`;
}
