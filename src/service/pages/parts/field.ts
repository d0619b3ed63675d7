import { html } from "hono/html";
import type { Html } from "../html.ts";

interface FieldShape {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly type?: "text" | "search" | "password" | "date" | "number" | "email";
  /** What is expected, under the field. */
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly autocomplete?: string;
}

/** A field with its label. */
export function field({
  name,
  label,
  value = "",
  type = "text",
  hint,
  isRequired,
  autocomplete,
}: FieldShape): Html {
  const required = isRequired ? html` required` : "";
  const described = hint === undefined ? "" : html` aria-describedby="${name}-hint"`;
  return html`<p class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete ?? "off"}"${required}${described}>
${hint === undefined ? "" : html`<span class="quiet" id="${name}-hint">${hint}</span>`}</p>`;
}

/** A field of several lines. */
export function area({
  name,
  label,
  value = "",
  hint,
}: Pick<FieldShape, "name" | "label" | "value"> & { readonly hint: string }): Html {
  return html`<p class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="3" cols="48" autocomplete="off" spellcheck="false" aria-describedby="${name}-hint">
${value}</textarea>
<span class="quiet" id="${name}-hint">${hint}</span></p>`;
}

interface ChoiceShape {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  /** Values with what they are called. */
  readonly options: readonly (readonly [string, string])[];
}

/** One of several. */
export function choice({ name, label, value = "", options }: ChoiceShape): Html {
  return html`<p class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${options.map(([each, called]) =>
    each === value
      ? html`<option value="${each}" selected>${called}</option>`
      : html`<option value="${each}">${called}</option>`,
  )}</select></p>`;
}

/** A form that only looks: its address can be shared. */
export function filter(content: Html, label: string): Html {
  return html`<form class="filter" method="get" aria-label="${label}">${content}<p class="field"><button type="submit">Show</button></p></form>`;
}
