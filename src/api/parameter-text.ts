import { innermost } from "./schema-plans.ts";
import type { Schema } from "./wire-names.ts";

/**
 * A parameter as the value its schema speaks of, read from texts: all of them where the schema wants a list, else
 * the last. What cannot be read stays text, for validation to refuse.
 */
export function parameterValue(schema: Schema, texts: readonly string[]): unknown {
  const { def } = innermost(schema)._zod;
  if (def.type === "array") return texts.map((text) => scalar(innermost(def.element)._zod.def.type, text));
  const last = texts.at(-1);
  return last === undefined ? undefined : scalar(def.type, last);
}

/** Whether a parameter may be given more than once. */
export function takesSeveral(schema: Schema): boolean {
  return innermost(schema)._zod.def.type === "array";
}

function scalar(type: string, text: string): unknown {
  if ((type === "number" || type === "int") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean") return BOOLEANS.get(text.toLowerCase()) ?? text;
  return text;
}

/** Clients in other languages write their own words, such as Python's `True`. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "1", "yes", "y", "on", "t"].map((text) => [text, true] as const),
  ...["false", "0", "no", "n", "off", "f"].map((text) => [text, false] as const),
]);
