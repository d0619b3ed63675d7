import type * as z from "zod/mini";
import type { Schema } from "../../api/wire-names.ts";

/**
 * Query parameters as the values their schema speaks of: a repeated parameter as an array where the schema wants
 * one, numbers and booleans read from their text. What cannot be read stays text, for validation to refuse.
 */
export function readQuery(schema: z.core.$ZodObject, search: URLSearchParams): Record<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, field] of Object.entries(schema._zod.def.shape)) {
    const texts = search.getAll(name);
    const last = texts.at(-1);
    if (last === undefined) continue;
    const type = innermost(field)._zod.def.type;
    values.set(name, type === "array" ? texts : scalar(type, last));
  }
  return Object.fromEntries(values);
}

function scalar(type: string, text: string): unknown {
  if ((type === "number" || type === "int") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function innermost(schema: Schema): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return innermost(def.innerType);
    default:
      return schema as z.core.$ZodTypes;
  }
}
