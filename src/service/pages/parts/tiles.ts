import { type Day, dayStrip } from "./charts.ts";
import { type Html, html, text, visible } from "./html.ts";

interface TileParts {
  readonly label: string;
  readonly figure: string;
  readonly href: string | undefined;
  readonly note?: Html;
  readonly line?: Html;
}

/** A figure with its label, its change and its line. */
export function tile({ label, figure, href, note, line }: TileParts): Html {
  return html`<li class="tile">
<p>${href === undefined ? label : html`<a href="${href}">${label}</a>`}</p>
<p class="figure">${figure}</p>
<p class="quiet">${note ?? ""}</p>
${line ?? ""}
</li>`;
}

interface CardParts {
  readonly result: Html;
  readonly name: Html;
  readonly note: Html;
  readonly days: readonly Day[];
  /** Text of the strip of days. */
  readonly about: string;
}

/** A record with its result, one sentence and its last days. */
export function card({ result, name, note, days, about }: CardParts): Html {
  return html`<li class="card">
<p class="name">${result}${name}</p>
<p class="quiet">${note}</p>
${dayStrip(days, about)}
</li>`;
}

/** A condition of a list, with a link that removes it. */
export function chip(condition: string, hrefWithout: string): Html {
  return html`<span class="chip">${text(condition)} <a href="${hrefWithout}" aria-label="Remove ${visible(condition)}">×</a></span>`;
}
