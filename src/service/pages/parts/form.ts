import { Invalid, type Refusal } from "../../kernel/errors.ts";
import type { FormShape, PageRequest } from "../page.ts";
import { type FieldPlace, invalidField, problemSentence, type TypedFields } from "../refused-form.ts";
import type { Subject } from "../viewers.ts";
import { type Html, html, visible } from "./html.ts";

interface FieldShape {
  readonly name: string;
  readonly label: string;
  /** The value before it is changed. */
  readonly value?: string | undefined;
  readonly type?: "text" | "search" | "password" | "date" | "number" | "email";
  readonly hint?: string | undefined;
  readonly isRequired?: boolean;
  readonly autocomplete?: string;
  /** Default: the name. */
  readonly id?: string;
  readonly fills?: FieldPlace["fills"];
  readonly codes?: FieldPlace["codes"];
  /** Whether a refused form shows it empty: a secret, or a confirmation. */
  readonly isTypedAgain?: true;
  /** Id of a list of suggestions. */
  readonly list?: string;
  /** Known values, which the browser offers. */
  readonly known?: readonly string[];
}

/** @param typed the refused form; omitted for a filter that was not refused */
export function field(shape: FieldShape, typed?: TypedFields): Html {
  const { id = shape.name, name, label, type = "text", isRequired, known = [], isTypedAgain } = shape;
  // A browser shows these texts as they are.
  const offered = known.filter((each) => visible(each) === each);
  const list = offered.length === 0 ? shape.list : `${id}-known`;
  const { hint, problem, attributes } = described(shape, typed);
  const value = isTypedAgain ? "" : entered(shape, typed);
  const more = html`${isRequired ? html` required` : ""}${list === undefined ? "" : html` list="${list}"`}${attributes}`;
  return html`<p class="field"><label for="${id}">${label}</label>
${hint}
<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="${shape.autocomplete ?? "off"}"${more}>
${problem}${offered.length === 0 ? "" : html`<datalist id="${list}">${offered.map((each) => html`<option value="${each}"></option>`)}</datalist>`}</p>`;
}

interface AreaShape extends Pick<FieldShape, "name" | "id" | "label" | "value" | "hint" | "fills"> {
  /** Height in lines. Default: 3. */
  readonly rows?: number;
}

/** @param typed the refused form; omitted for a form that was not refused */
export function area(shape: AreaShape, typed?: TypedFields): Html {
  const { name, id = name, label, rows = 3 } = shape;
  const { hint, problem, attributes } = described(shape, typed);
  return html`<p class="field"><label for="${id}">${label}</label>
${hint}
<textarea id="${id}" name="${name}" rows="${rows}" cols="48" autocomplete="off" spellcheck="false"${attributes}>
${entered(shape, typed)}</textarea>
${problem}</p>`;
}

/** A value with its label. A value without a label is its own label. */
export type Option<Value extends string> = Value | readonly [Value, string];

interface ChoiceShape extends Pick<FieldShape, "name" | "id" | "label" | "value" | "fills" | "codes"> {
  readonly options: readonly Option<string>[];
}

/** @param typed the refused form; omitted for a filter that was not refused */
export function choice(shape: ChoiceShape, typed?: TypedFields): Html {
  const { name, id = name, label, options } = shape;
  const pairs = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  const typedValue = entered(shape, typed);
  const value = pairs.some(([each]) => each === typedValue) ? typedValue : shape.value;
  const { problem, attributes } = described(shape, typed);
  return html`<p class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}"${attributes}>${pairs.map(([each, called]) => {
    return html`<option value="${each}"${each === value ? html` selected` : ""}>${visible(called)}</option>`;
  })}</select>
${problem}</p>`;
}

interface CheckboxShape {
  readonly name: string;
  readonly value: string | number;
  readonly label: Html | string;
  readonly isChecked: boolean;
}

export function checkbox({ name, value, label, isChecked }: CheckboxShape): Html {
  return html`<label class="pick"><input type="checkbox" name="${name}" value="${value}"${isChecked ? html` checked` : ""}> ${label}</label>`;
}

function entered({ name, value = "" }: Pick<FieldShape, "name" | "value">, typed?: TypedFields): string {
  return typed === undefined ? value : typed.entered(name, value);
}

/** Hint and message of a field, which its attributes name. */
function described(shape: Omit<FieldShape, "type">, typed?: TypedFields) {
  const { id = shape.name, name, label, fills, codes, hint } = shape;
  const problem = typed?.problem({ id, name, label, fills, codes });
  const ids = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  const invalid = problem === undefined ? "" : html` aria-invalid="true"`;
  return {
    hint: hint === undefined ? "" : html`<span class="quiet" id="${id}-hint">${hint}</span>`,
    problem:
      problem === undefined ? "" : html`<span class="problem" id="${id}-problem">${visible(problem)}</span>`,
    attributes: html`${ids === "" ? "" : html` aria-describedby="${ids}"`}${invalid}`,
  };
}

/** A message at the top, which the script focuses. */
export function alertBox(message: Html): Html {
  return html`<div class="alert" role="alert" tabindex="-1">${message}</div>`;
}

/** Explains why a question or a filter was refused. */
export function refusalAlert(refusal: Refusal): Html {
  const problems = refusal instanceof Invalid ? Object.values(refusal.errors ?? {}).map(problemSentence) : [];
  return alertBox(html`<p>${problems.length === 0 ? refusal.onPages : problems.join(". ")}</p>`);
}

/** A GET form with a question, so that the address of the result can be shared. */
export function questionForm(content: Html, label: string, button: string, action?: string): Html {
  return html`<form class="question" method="get"${action === undefined ? "" : html` action="${action}"`} aria-label="${label}">${content}<p class="field"><button type="submit">${button}</button></p></form>`;
}

/** A collapsed form. After a refusal it is open and has the typed values. */
export function foldedForm(
  summary: string,
  shape: FormShape & { readonly isOpen?: boolean },
  { form, entered }: Pick<PageRequest, "form" | "entered">,
): Html {
  const isOpen = shape.isOpen ?? (shape.act !== undefined && entered("act") === shape.act);
  return html`<details${isOpen ? html` open` : ""}><summary>${summary}</summary>${form(shape)}</details>`;
}

const CONFIRM = "confirm";

/** The confirmation field of a destructive form, in which the user types the name of what it removes. */
export function confirmation(expected: string, typed: TypedFields, name = CONFIRM): Html {
  const label = `Type ${expected} to confirm`;
  return field({ name, label, isRequired: true, isTypedAgain: true }, typed);
}

/** @throws Invalid */
export function requireConfirmation(
  sent: URLSearchParams,
  expected: string,
  message: string,
  name = CONFIRM,
): void {
  if (sent.get(name) !== expected) throw invalidField(name, message);
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
<p>Anyone with the link can see ${isBadge ? "the badge, which shows the state of the latest trail," : "this page"} and nothing else. They cannot change anything.</p>
${field({ name: "until", label: "Last day", type: "date", fills: "expires_at", isRequired: true }, request)}
${field({ name: "for", label: "Purpose", fills: "description" }, request)}`,
      button: "Create link",
      label: isBadge ? "Create a badge" : "Create a link",
    },
    request,
  );
}
