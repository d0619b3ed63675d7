import type * as z from "zod/mini";
import type { OperationShape } from "../../api/operation.ts";
import { parameterValue } from "../../api/parameter-text.ts";
import type { RequestTarget } from "./request-head.ts";

export function readQuery(schema: z.core.$ZodObject, search: URLSearchParams): Record<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, field] of Object.entries(schema._zod.def.shape)) {
    const texts = search.getAll(name);
    if (texts.length > 0) values.set(name, parameterValue(field, texts));
  }
  return Object.fromEntries(values);
}

/** Reads the parameters of a path likewise: a number in a path is text. */
export function readPath(
  schema: z.core.$ZodObject,
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const { shape } = schema._zod.def;
  const entries = Object.entries(texts).map(([name, text]) => {
    const field = shape[name];
    return [name, field === undefined ? text : parameterValue(field, [text])];
  });
  return Object.fromEntries(entries);
}

/** Headers are short, so only the first names that fit are listed. */
const MAX_LENGTH = 1_000;
const MORE = "...";

/** Header that names ignored query parameters, percent-encoded, in the order sent. */
export function ignoredParameters(
  declared: OperationShape["query"],
  target: Pick<RequestTarget, "query">,
): Record<string, string> {
  if (target.query === "") return {};
  const known = declared?._zod.def.shape ?? {};
  const given = new Set(new URLSearchParams(target.query).keys());
  const ignored = [...given].filter((name) => name !== "" && !Object.hasOwn(known, name));
  return ignored.length === 0 ? {} : { "x-ignored-parameters": listed(ignored.map(encodeURIComponent)) };
}

function listed(names: readonly string[]): string {
  let text = "";
  for (const name of names) {
    const longer = text === "" ? name : `${text}, ${name}`;
    if (longer.length > MAX_LENGTH) return text === "" ? MORE : `${text}, ${MORE}`;
    text = longer;
  }
  return text;
}
