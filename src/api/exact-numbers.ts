import { type Plan, planner } from "./schema-plans.ts";
import type { Schema } from "./wire-names.ts";

/*
 * Keeps the digits of numbers in users' data, where `1.10` may be a version and `9007199254740993` an identifier. Fields
 * whose schema is a number become plain numbers. `JSON.rawJSON` makes a package such as `lossless-json` unnecessary.
 */

/**
 * Reviver for `JSON.parse`. A number that `JSON.stringify` would change becomes raw JSON with the same digits.
 */
export function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === "number" && source !== undefined && source !== String(value)
    ? JSON.rawJSON(source)
    : value;
}

/** Turns raw JSON into a plain number, which may lose digits; returns other values unchanged. */
export const plainNumber: Plan = (value) => (JSON.isRawJSON(value) ? Number(JSON.stringify(value)) : value);

const plainNumbersPlan = planner({
  leaf: (type) => (type === "number" || type === "literal" ? plainNumber : undefined),
});

/** Turns numbers into plain ones where the schema is a number. Elsewhere they keep their digits. */
export function plainNumbers(schema: Schema, value: unknown): unknown {
  return plainNumbersPlan(schema)(value);
}
