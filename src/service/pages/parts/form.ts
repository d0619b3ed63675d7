import { Invalid, type Refusal } from "../../kernel/errors.ts";
import type { FormShape, PageRequest } from "../page.ts";
import type { Subject } from "../viewers.ts";
import { type Html, html, visible } from "./html.ts";

interface FieldShape {
  readonly name: string;
  /** Default: the name. */
  readonly id?: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly type?: "text" | "search" | "password" | "date" | "number" | "email";
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly autocomplete?: string;
  /** Known values, which the browser offers. */
  readonly known?: readonly string[];
}

export function field({
  name,
  id = name,
  label,
  value = "",
  type = "text",
  hint,
  isRequired,
  autocomplete,
  known = [],
}: FieldShape): Html {
  const required = isRequired ? html` required` : "";
  const described = hint === undefined ? "" : html` aria-describedby="${id}-hint"`;
  // A browser shows these texts as they are.
  const shown = known.filter((each) => visible(each) === each);
  const offered = shown.length === 0 ? "" : html` list="${id}-known"`;
  return html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete ?? "off"}"${required}${described}${offered}>
${hint === undefined ? "" : html`<span class="quiet" id="${id}-hint">${hint}</span>`}${shown.length === 0 ? "" : html`<datalist id="${id}-known">${shown.map((each) => html`<option value="${each}"></option>`)}</datalist>`}</p>`;
}

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

/** A value with its label. A value without a label is its own label. */
export type Option<Value extends string> = Value | readonly [Value, string];

interface ChoiceShape {
  readonly name: string;
  /** Default: the name. */
  readonly id?: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly options: readonly Option<string>[];
}

export function choice({ name, id = name, label, value = "", options }: ChoiceShape): Html {
  return html`<p class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${options.map((option) => {
    const [each, called] = typeof option === "string" ? [option, option] : option;
    return html`<option value="${each}"${each === value ? html` selected` : ""}>${visible(called)}</option>`;
  })}</select></p>`;
}

/** Explains why a question or a filter was refused. */
export function refusalAlert(refusal: Refusal): Html {
  const problems = refusal instanceof Invalid ? Object.values(refusal.errors ?? {}) : [];
  return html`<div class="alert" role="alert" tabindex="-1"><p>${[...new Set([refusal.message, ...problems])].join(": ")}</p></div>`;
}

/** A GET form with a question, so that the address of the result can be shared. */
export function questionForm(content: Html, label: string, button: string): Html {
  return html`<form class="question" method="get" aria-label="${label}">${content}<p class="field"><button type="submit">${button}</button></p></form>`;
}

/** A collapsed form. After a refusal it is open and has the typed values. */
export function foldedForm(
  summary: string,
  shape: FormShape & { readonly isOpen?: boolean },
  { form, entered }: PageRequest,
): Html {
  const isOpen = shape.isOpen ?? (shape.act !== undefined && entered("act") === shape.act);
  return html`<details${isOpen ? html` open` : ""}><summary>${summary}</summary>${form(shape)}</details>`;
}

/** The confirmation field of a destructive form, in which the user types the name of what it removes. */
export function confirmation(name: string): Html {
  return field({ name: "confirm", label: `Type ${name} to confirm`, isRequired: true });
}

/** @throws Invalid */
export function requireConfirmation(sent: URLSearchParams, expected: string, message: string): void {
  if (sent.get("confirm") !== expected) throw new Invalid("page.form_invalid", message);
}

/** @throws Invalid if the field `act` is not an action of the page */
export function actionIn<Action>(actions: Readonly<Record<string, Action>>, sent: URLSearchParams): Action {
  const name = sent.get("act") ?? "";
  // Skips inherited members such as `constructor`.
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new Invalid("page.form_invalid", "The form has an unknown action");
  return action;
}

export function shareForm({ kind, place, name }: Subject, request: PageRequest): Html {
  const { may, to, entered } = request;
  if (!may("createShareLink")) return html``;
  const isBadge = kind === "badge";
  return foldedForm(
    isBadge ? "Create a badge for a README" : "Share this page with someone who has no account",
    {
      isOpen: entered("place") !== "",
      action: to.page("links"),
      content: html`<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="place" value="${place}">${name === undefined ? "" : html`<input type="hidden" name="name" value="${name}">`}
<p>Anyone with the link can see this page and nothing else. They cannot change anything.</p>
${field({ name: "until", label: "Last day", type: "date", value: entered("until"), isRequired: true })}
${field({ name: "for", label: "Purpose", value: entered("for") })}`,
      button: "Create link",
      label: isBadge ? "Create a badge" : "Create a link",
    },
    request,
  );
}
