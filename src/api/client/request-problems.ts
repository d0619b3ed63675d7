import type * as z from "zod/mini";
import { INTEGER_WANTED } from "../parsing.ts";
import { allowedBy } from "../pattern-words.ts";
import {
  alternatives,
  type Finding,
  fieldName,
  findingsOf,
  patternSource,
  shownValue,
} from "../validation.ts";
import { camelName } from "../wire-names.ts";
import type { InputProblem } from "./errors.ts";

type Issue = z.core.$ZodIssue;

/**
 * Problems of a request by field, such as `must be a list, not 'web'`.
 *
 * @param names the name of the body in messages, and the request as a library's caller wrote it, for the names in code
 */
export function requestProblems(
  issues: readonly Issue[],
  request: unknown,
  { body = "body", given }: { readonly body?: string; readonly given?: unknown } = {},
): InputProblem[] {
  const problems = new Map<string, InputProblem>();
  for (const finding of findingsOf(issues, request)) {
    const input =
      finding.path.length === 0
        ? body
        : fieldName(given === undefined ? finding.path : codePath(finding.path, given));
    if (!problems.has(input)) problems.set(input, { input, ...problemOf(finding) });
  }
  return [...problems.values()];
}

/**
 * Path of a wire field in a request of the library. Keys of maps stay as the caller wrote them.
 *
 * @param request what the caller gave
 */
function codePath(path: readonly PropertyKey[], request: unknown): PropertyKey[] {
  let value = request;
  return path.map((step) => {
    const isKey = typeof value === "object" && value !== null && Object.hasOwn(value, step);
    const name = isKey || typeof step !== "string" ? step : camelName(step);
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    return name;
  });
}

function problemOf({ fault, path, value }: Finding): Omit<InputProblem, "input"> {
  if (fault === "missing") return { problem: "is required", missing: true };
  if (fault === "unknown") return { problem: "is not a known field" };
  const shown = typeof value === "object" ? undefined : shownValue(path, value);
  return { problem: shown === undefined ? wordsFor(fault) : `${wordsFor(fault)}, not '${shown}'` };
}

function wordsFor(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${issue.message === INTEGER_WANTED ? "a whole number" : typeName(issue.expected)}`;
    case "invalid_value":
      return `must be ${alternatives(issue.values.map((value) => `'${String(value)}'`))}`;
    case "invalid_format":
      return formatWords(issue);
    case "too_small":
      return boundWords("at least", issue.minimum, issue.origin);
    case "too_big":
      return boundWords("at most", issue.maximum, issue.origin);
    case "invalid_union":
      return unionWords(issue);
    case "custom":
      return issue.message;
    default:
      return "cannot be used";
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  number: "a number",
  object: "a mapping",
  record: "a mapping",
  string: "a text",
};

function typeName(expected: string): string {
  return TYPE_NAMES[expected] ?? `of the type ${expected}`;
}

function formatWords({ format, pattern = "" }: Extract<Issue, { code: "invalid_format" }>): string {
  if (format === "url") return "must be an http:// or https:// address";
  if (format === "email") return "must be an email address";
  const source = patternSource(pattern);
  return allowedBy(source) ?? `must match ${source || format}`;
}

function boundWords(word: string, bound: number | bigint, origin: string): string {
  const count = (noun: string) => `must have ${word} ${bound} ${noun}${Number(bound) === 1 ? "" : "s"}`;
  if (origin === "string") return count("character");
  return origin === "array" ? count("item") : `must be ${word} ${bound}`;
}

/** Joins the expectations of all members of a union. */
function unionWords(issue: Extract<Issue, { code: "invalid_union" }>): string {
  const options = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
  if (options.length > 0) return `must be ${alternatives(options.map((option) => `'${String(option)}'`))}`;
  const words = new Set(issue.errors.flatMap((branch) => branch.slice(0, 1).map(wordsFor)));
  const [first = "cannot be used", ...rest] = words;
  return [first, ...rest.map((text) => text.replace("must be ", ""))].join(" or ");
}
