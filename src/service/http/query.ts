import type * as z from "zod/mini";
import { parameterValue } from "../../api/parameter-text.ts";

/** The query parameters that a schema declares, as the values it speaks of. */
export function readQuery(schema: z.core.$ZodObject, search: URLSearchParams): Record<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, field] of Object.entries(schema._zod.def.shape)) {
    const texts = search.getAll(name);
    if (texts.length > 0) values.set(name, parameterValue(field, texts));
  }
  return Object.fromEntries(values);
}

/** The parameters in a path, likewise: a number in a path comes as its text. */
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
