import { requestProblems } from "../../api/client/request-problems.ts";
import { fromWire, type Schema } from "../../api/wire-names.ts";
import type { FieldErrors } from "../kernel/errors.ts";
import { IssueList, walk } from "../kernel/schema-walk.ts";

/**
 * Validates an input as the API does, but describes problems in words for people, who see their input beside them:
 * `must consist of letters, digits and hyphens: try zoe-b`.
 */
export function validateInput(schema: Schema, input: unknown): { value: unknown } | FieldErrors {
  const issues = new IssueList();
  const value = walk(schema, input, issues);
  if (issues.count === 0) return { value: fromWire(schema, value) };
  const problems = requestProblems(issues.listed, input).map(({ input: field, problem }) => {
    const words = problem.replace(/, not '.*'$/s, "");
    const typed: unknown = Object(input)[field];
    if (typed === "") return [field, "is required"];
    const suggested = typeof typed === "string" && words.startsWith("must consist of") ? names(typed) : [];
    const name = suggested.find((each) => isAccepted(schema, { ...Object(input), [field]: each }, field));
    return [field, name === undefined ? words : `${words}: try ${name}`];
  });
  return { errors: Object.fromEntries(problems), count: issues.count };
}

/** Names that differ from a text only in characters that many names must not have. */
function names(text: string): string[] {
  const letters = text.normalize("NFKD").replaceAll(/\p{Mark}/gu, "");
  return [/[^a-zA-Z0-9._~-]+/g, /[^a-zA-Z0-9-]+/g].map((others) =>
    letters.replaceAll(others, "-").replaceAll(/^[^a-zA-Z0-9]+|-+$/g, ""),
  );
}

function isAccepted(schema: Schema, input: object, field: string): boolean {
  const issues = new IssueList();
  walk(schema, input, issues);
  return !issues.listed.some(({ path }) => path[0] === field);
}
