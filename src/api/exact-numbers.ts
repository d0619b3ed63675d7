import { type Plan, planner } from "./schema-plans.ts";
import type { Schema } from "./wire-names.ts";

/*
 * Numbers that keep their digits. In data of the user `1.10` may be a version, and `9007199254740993` an identifier:
 * both go on as they were written. Where a schema wants a number it gets one. `JSON.rawJSON` does in the runtime what
 * `lossless-json` would do with a parser and a writer of its own.
 */

/**
 * A reviver for `JSON.parse`: a number that `JSON.stringify` would write in another way than its source becomes a
 * value that is written as the source.
 */
export function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === "number" && source !== undefined && source !== String(value)
    ? JSON.rawJSON(source)
    : value;
}

/** A number that keeps its digits as a plain one, which may have fewer; anything else as it is. */
export const plainNumber: Plan = (value) => (JSON.isRawJSON(value) ? Number(JSON.stringify(value)) : value);

const plainNumbersPlan = planner({
  leaf: (type) => (type === "number" || type === "literal" ? plainNumber : undefined),
});

/** A value of the wire with plain numbers wherever the schema names a number; where it takes anything, digits are kept. */
export function plainNumbers(schema: Schema, value: unknown): unknown {
  return plainNumbersPlan(schema)(value);
}
