/** HTML whose texts are escaped. Not hono's, which is slower because it waits for promises. */
export class Html {
  readonly markup: string;

  /** @param markup is trusted */
  constructor(markup: string) {
    this.markup = markup;
  }

  toString(): string {
    return this.markup;
  }
}

type Value = string | number | boolean | null | undefined | Html | readonly Value[];

/** Escapes the values of a template. Omits null, undefined and booleans, and joins the items of arrays. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  let markup = strings[0] ?? "";
  for (let i = 0; i < values.length; i++) markup += markupOf(values[i]) + (strings[i + 1] ?? "");
  return new Html(markup);
}

function markupOf(value: Value): string {
  if (typeof value === "string") return SPECIAL.test(value) ? escaped(value) : value;
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.reduce<string>((all, item) => all + markupOf(item), "");
  if (value === null || value === undefined || typeof value === "boolean") return "";
  return escaped(String(value));
}

const SPECIAL = /[&<>'"]/;
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>'"]/g, (found) => ENTITIES[found as keyof typeof ENTITIES]);
}
