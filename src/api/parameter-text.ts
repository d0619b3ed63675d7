import { innermost } from "./schema-plans.ts";
import type { Schema } from "./wire-names.ts";

/**
 * Reads a parameter from its texts as its schema requires: a list takes all of them, any other type the last. Unreadable
 * values stay text, which validation rejects.
 */
export function parameterValue(schema: Schema, texts: readonly string[]): unknown {
  const { def } = innermost(schema)._zod;
  if (def.type === "array") return texts.map((text) => scalar(innermost(def.element)._zod.def.type, text));
  const last = texts.at(-1);
  return last === undefined ? undefined : scalar(def.type, last);
}

/** Whether a parameter may be repeated. */
export function takesSeveral(schema: Schema): boolean {
  return innermost(schema)._zod.def.type === "array";
}

function scalar(type: string, text: string): unknown {
  if ((type === "number" || type === "int") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean") return BOOLEANS.get(text.toLowerCase()) ?? text;
  return text;
}

/** Words of clients in other languages, such as Python's `True`. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "1", "yes", "y", "on", "t"].map((text) => [text, true] as const),
  ...["false", "0", "no", "n", "off", "f"].map((text) => [text, false] as const),
]);
