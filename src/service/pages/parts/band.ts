import { type Html, html } from "./html.ts";

interface BandParts {
  /** Below the sentence. */
  readonly more?: Html;
  readonly buttons?: readonly (Html | undefined)[];
}

/** The result of a page, with a sentence and buttons. CSS takes its color from the result. */
export function band(result: Html, sentence: Html, { more, buttons = [] }: BandParts = {}): Html {
  const shown = buttons.filter((each) => each !== undefined);
  return html`<div class="band">
<p class="lead">${result} ${sentence}</p>
${more ?? ""}
${shown.length === 0 ? "" : html`<p class="buttons">${shown}</p>`}
</div>`;
}
