import * as z from "zod/mini";
import { describeIssues, type FieldNaming } from "../api/validation.ts";
import { fromWire, type Schema } from "../api/wire-names.ts";

/** A value that fits its schema, with the names of TypeScript; or what is wrong with it, by field. */
export type Validated = { value: unknown } | { errors: Record<string, string> };

export function validate(schema: Schema, input: unknown, naming?: FieldNaming): Validated {
  const result = z.core.safeParse(schema, input);
  return result.success
    ? { value: fromWire(schema, result.data) }
    : { errors: describeIssues(result.error.issues, input, naming) };
}
