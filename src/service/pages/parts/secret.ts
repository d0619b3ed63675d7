import { html } from "hono/html";
import type { Html } from "../html.ts";
import { copyButton } from "./digest.ts";

/** A secret that is shown this once. */
export function shownOnce({ id, label, value }: { id: string; label: string; value: string }): Html {
  return html`<p class="field"><label for="${id}">${label}</label>
<input class="secret" id="${id}" type="text" readonly value="${value}" autocomplete="off" spellcheck="false">${copyButton(value)}</p>
<p><strong>It is shown only now.</strong> Nobody can see it again.</p>`;
}

/** Stands in place of a secret when its form is sent again. */
export const ALREADY_SHOWN = html`<p class="lead">It was shown already, and can not be shown again.</p>`;
