import { describeIssues, type FieldNaming } from "../../api/validation.ts";
import { fromWire, type Schema } from "../../api/wire-names.ts";
import type { FieldErrors } from "./errors.ts";
import { IssueList, walk } from "./schema-walk.ts";

export type Validated = { value: unknown } | FieldErrors;

export function validate(schema: Schema, input: unknown, naming?: FieldNaming): Validated {
  const issues = new IssueList();
  const value = walk(schema, input, issues);
  if (issues.count === 0) return { value: fromWire(schema, value) };
  return { errors: describeIssues(issues.listed, input, naming), count: issues.count };
}
