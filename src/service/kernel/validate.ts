import { describeIssues, type FieldNaming } from "../../api/validation.ts";
import { fromWire, type Schema } from "../../api/wire-names.ts";
import type { FieldErrors } from "./errors.ts";
import { walk } from "./schema-walk.ts";
import { IssueList } from "./validation/issue-list.ts";

/** A value that fits its schema, with the names of TypeScript; or what is wrong with it. */
export type Validated = { value: unknown } | FieldErrors;

export function validate(schema: Schema, input: unknown, naming?: FieldNaming): Validated {
  const issues = new IssueList();
  const value = walk(schema, input, issues);
  if (issues.count === 0) return { value: fromWire(schema, value) };
  return { errors: describeIssues(issues.listed, input, naming), count: issues.count };
}
