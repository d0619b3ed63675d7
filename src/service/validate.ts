import * as z from "zod/mini";
import { describeIssues, type FieldNaming, parsing } from "../api/validation.ts";
import { fromWire, type Schema } from "../api/wire-names.ts";
import { fitsAsItIs } from "./fitting.ts";

/** A value that fits its schema, with the names of TypeScript; or what is wrong with it, by field. */
export type Validated = { value: unknown } | { errors: Record<string, string> };

export function validate(schema: Schema, input: unknown, naming?: FieldNaming): Validated {
  if (fitsAsItIs(schema, input)) return { value: fromWire(schema, input) };
  const result = z.core.safeParse(schema, input, parsing);
  const issues = result.success ? numbersTakenForObjects(input, result.data) : result.error.issues;
  return result.success && issues.length === 0
    ? { value: fromWire(schema, result.data) }
    : { errors: describeIssues(issues, input, naming) };
}

/**
 * Finds numbers where a schema wants an object. A number that is kept as its text is an object to a schema, and
 * the one that accepted it as such made a copy of it; where any value is welcome it is left as it is.
 */
function numbersTakenForObjects(accepted: unknown, copy: unknown): z.core.$ZodIssue[] {
  const found: z.core.$ZodIssue[] = [];
  const path: PropertyKey[] = [];
  const search = (input: unknown, output: unknown) => {
    if (input === output || typeof input !== "object" || input === null) return;
    if (typeof output !== "object" || output === null) return;
    if (JSON.isRawJSON(input)) {
      found.push({ code: "invalid_type", expected: "object", path: [...path], message: "" });
      return;
    }
    for (const step of Object.keys(input)) {
      path.push(Array.isArray(input) ? Number(step) : step);
      search(Reflect.get(input, step), Reflect.get(output, step));
      path.pop();
    }
  };
  search(accepted, copy);
  return found;
}
