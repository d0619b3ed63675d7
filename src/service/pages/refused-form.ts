import type { ErrorCode } from "../../api/error-codes.ts";
import { Invalid, type Refusal } from "../kernel/errors.ts";
import { type Html, html, visible } from "./parts/html.ts";

export interface FieldPlace {
  readonly id: string;
  /** Name of the field in the form. */
  readonly name: string;
  readonly label: string;
  /** Name of the request field that it fills, if it is another one: `artifact_fingerprint`. */
  readonly fills?: string | undefined;
  /** Codes of refusals that are about its value, but name no field: `resource.exists`. */
  readonly codes?: readonly ErrorCode[] | undefined;
}

/** The typed values of a refused form and the messages of its fields. */
export interface TypedFields {
  /** The value of a field in the refused form, else `otherwise`. */
  entered(field: string, otherwise?: string): string;
  /** The message beside a field. A message that no field takes is shown above the page. */
  problem(field: FieldPlace): string | undefined;
}

/** The refusal of a sent form or filter, whose messages are beside their fields. */
export class RefusedForm implements TypedFields {
  readonly #sent: URLSearchParams;
  readonly #refusal: Refusal;
  readonly #messages: Map<string, string>;
  readonly #fields: FieldPlace[] = [];

  constructor(sent: URLSearchParams, refusal: Refusal) {
    this.#sent = sent;
    this.#refusal = refusal;
    this.#messages = new Map(refusal instanceof Invalid ? Object.entries(refusal.errors ?? {}) : []);
  }

  readonly entered: TypedFields["entered"] = (field, otherwise = "") => this.#sent.get(field) ?? otherwise;

  readonly problem: TypedFields["problem"] = (field) => {
    // A field of another form on the page may fill a request field of the same name.
    if (!this.#sent.has(field.name)) return undefined;
    const own = [...this.#messages].filter(([path]) =>
      [field.name, field.fills].some((name) => name !== undefined && isPartOf(path, name)),
    );
    const isAboutIt = this.#messages.size === 0 && field.codes?.includes(this.#refusal.code);
    if (own.length === 0 && !isAboutIt) return undefined;
    for (const [path] of own) this.#messages.delete(path);
    this.#fields.push(field);
    if (own.length === 0) return problemSentence(this.#refusal.onPages);
    return [...new Set(own.map(([, message]) => problemSentence(message)))].join(". ");
  };

  /** Call after the page is rendered: links to the fields with messages, then lists the other messages. */
  alert(what: "form" | "filter" = "form"): Html {
    if (this.#fields.length === 0 && this.#messages.size === 0) return html`<p>${this.#refusal.onPages}</p>`;
    const fields = this.#fields.map(
      ({ id, label }, index) => html`${index === 0 ? "" : ", "}<a href="#${id}">${label}</a>`,
    );
    return html`<p>The ${what} was not accepted.${fields.length === 0 ? "" : html` Check ${fields}.`}</p>${problemList(this.#messages)}`;
  }
}

/** Whether a problem is of a request field, such as `targets[0].webhook` of `targets`. */
function isPartOf(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`);
}

/** Problems of fields that a page does not have. */
export function problemList(problems: Iterable<readonly [field: string, problem: string]>): Html {
  const items = [...problems].map(
    ([field, problem]) => html`<li>${visible(field)}: ${visible(withoutInput(problem))}</li>`,
  );
  return items.length === 0 ? html`` : html`<ul>${items}</ul>`;
}

/** Handlers quote the input, which is in the field. */
function withoutInput(problem: string): string {
  return problem.replace(/ \[input: .*\]$/s, "");
}

/** `Must have at most 64 characters` */
export function problemSentence(problem: string): string {
  const text = withoutInput(problem);
  // An address stays as it is.
  return /^\w+:\/\//.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** A refusal with its message beside a field. */
export function invalidField(field: string, message: string): Invalid {
  return new Invalid("page.form_invalid", message, { [field]: message });
}
