import type * as z from "zod/mini";
import { INTEGER_WANTED } from "./parsing.ts";

type Issue = z.core.$ZodIssue;

/** Names of fields in messages. */
export interface FieldNaming {
  /** Prefix of each field: `query.` gives `query.per_page`. */
  prefix?: string;
  /** Name of the whole input. */
  root?: string;
}

/**
 * Describes the problems of an input by field, in the order of the fields and the words of the API:
 * `{"git_commit_info.sha1": "Field required [input: None]"}`. Omits values that look like secrets.
 */
export function describeIssues(
  issues: readonly Issue[],
  input: unknown,
  naming?: FieldNaming,
): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [field, text] of listIssues(issues, input, naming)) {
    if (!fields.has(field)) fields.set(field, text);
  }
  return Object.fromEntries(fields);
}

/** Lists all problems of an input with their fields. A field may have several. */
export function listIssues(
  issues: readonly Issue[],
  input: unknown,
  { prefix = "", root = "body" }: FieldNaming = {},
): [field: string, text: string][] {
  return findingsOf(issues, input).map((finding) => {
    const { path } = finding;
    const field = path.length === 0 ? root : `${prefix}${fieldName(path)}`;
    return [field, `${wordingOf(finding)}${shown(finding)}`];
  });
}

function wordingOf({ fault, value }: Finding): string {
  if (fault === "missing") return "Field required";
  return fault === "unknown" ? "Extra inputs are not permitted" : textOf(fault, value);
}

function textOf(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return typeText(issue.message === INTEGER_WANTED ? "int" : issue.expected, value);
    case "invalid_value":
      return `Input should be ${alternatives(issue.values.map((v) => `'${String(v)}'`))}`;
    case "invalid_format":
      return formatText(issue, value);
    case "too_small":
      return boundText(issue.origin, issue.minimum, issue.inclusive !== false, "least", value);
    case "too_big":
      return boundText(issue.origin, issue.maximum, issue.inclusive !== false, "most", value);
    case "invalid_union":
      return unionText(issue, value);
    case "custom":
      return issue.message;
    default:
      return "Input is not valid";
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: "list",
  int: "integer",
  object: "dictionary",
  record: "dictionary",
};

function typeText(expected: string, value: unknown): string {
  const name = TYPE_NAMES[expected] ?? expected;
  const text = `Input should be a valid ${name}`;
  if (typeof value === "string" && expected === "boolean") return `${text}, unable to interpret input`;
  if (typeof value === "string" && (expected === "int" || expected === "number")) {
    return `${text}, unable to parse string as ${expected === "int" ? "an integer" : "a number"}`;
  }
  if (typeof value === "number" && expected === "int") return `${text}, got a number with a fractional part`;
  return text;
}

function formatText(issue: Extract<Issue, { code: "invalid_format" }>, value: unknown): string {
  if (issue.format === "url") {
    if (value === "") return "Input should be a valid URL, input is empty";
    const scheme = typeof value === "string" ? URL.parse(value)?.protocol : undefined;
    return scheme === undefined || /^https?:$/.test(scheme)
      ? "Input should be a valid URL"
      : "URL scheme should be 'http' or 'https'";
  }
  if (issue.format === "regex") return `String should match pattern '${patternSource(issue.pattern)}'`;
  if (issue.format === "email") return "Input should be a valid email address";
  return `Input should be a valid ${issue.format}`;
}

/** Source of a pattern, which Zod reports as a literal: `/^a$/`. */
export function patternSource(pattern: unknown): string {
  return String(pattern).replace(/^\/(.*)\/[a-z]*$/s, "$1");
}

function boundText(
  origin: string,
  bound: number | bigint,
  inclusive: boolean,
  word: "least" | "most",
  value: unknown,
): string {
  if (origin === "string") return `String should have at ${word} ${count(bound, "character")}`;
  if (origin === "array") {
    const held = Array.isArray(value) ? value.length : 0;
    return `List should have at ${word} ${count(bound, "item")} after validation, not ${held}`;
  }
  const comparison = word === "least" ? "greater than" : "less than";
  return `Input should be ${comparison} ${inclusive ? "or equal to " : ""}${bound}`;
}

function unionText(issue: Extract<Issue, { code: "invalid_union" }>, value: unknown): string {
  const options = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
  if (options.length > 0) return `Input should be ${alternatives(options.map((o) => `'${String(o)}'`))}`;
  const texts = issue.errors.flatMap((branch) => branch.slice(0, 1).map((inner) => textOf(inner, value)));
  const [first = "Input is not valid", ...rest] = new Set(texts);
  return [first, ...rest.map((text) => text.replace("Input should be ", ""))].join(" or ");
}

function count(bound: number | bigint, noun: string): string {
  return `${bound} ${noun}${Number(bound) === 1 ? "" : "s"}`;
}

function shown({ path, value }: Finding): string {
  const text = shownValue(path, value);
  return text === undefined ? "" : ` [input: ${text}]`;
}

type Path = readonly PropertyKey[];

/** Maximum length of a value in a message. */
const MAX_SHOWN = 100;
const SECRET_NAME = /webhook|secret|token|password|api_?key|authorization/i;
const SECRET_VALUE = /hooks\.slack\.com|\/api\/webhooks\/|^det?_|^gh[a-z]_|^github_pat_|^xox|:\/\/[^/]*@/i;

/** A problem of an input and its path. */
export interface Finding {
  readonly path: Path;
  readonly value: unknown;
  /** Whether the field is missing or unknown, or the problem with its value. */
  readonly fault: "missing" | "unknown" | Issue;
}

/** All problems of an input, down to the fields. */
export function findingsOf(issues: readonly Issue[], input: unknown): Finding[] {
  return issues.flatMap((issue) => findings(issue, input, []));
}

function findings(issue: Issue, input: unknown, base: Path): Finding[] {
  const path = [...base, ...issue.path];
  const value = valueAt(input, path);
  if (value === undefined) return [{ path, fault: "missing", value }];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const at = [...path, key];
      return { path: at, fault: "unknown", value: valueAt(input, at) };
    });
  }
  if (issue.code === "invalid_key") {
    const key = path.at(-1);
    return issue.issues.map((problem) => ({ path, fault: problem, value: key }));
  }
  if (issue.code === "invalid_union") {
    const branch = bestBranch(issue.errors);
    if (branch) return branch.flatMap((inner) => findings(inner, input, path));
  }
  return [{ path, fault: issue, value }];
}

/** The intended member of a union: its type matches, so only its content is invalid. */
function bestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find((branch) => !branch.some((i) => i.path.length === 0 && i.code === "invalid_type"));
}

/** Name of a field, such as `artifacts[0].digests`. */
export function fieldName(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`,
    )
    .join("");
}

/** `a, b or c` */
export function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** A value for a message; undefined if it looks like a secret. */
export function shownValue(path: Path, value: unknown): string | undefined {
  if (path.some((step) => SECRET_NAME.test(String(step)))) return undefined;
  if (value === undefined || value === null) return "None";
  if (Array.isArray(value)) return "[...]";
  const isExact = JSON.isRawJSON(value);
  if (typeof value === "object" && !isExact) return "{...}";
  const text = isExact ? JSON.stringify(value) : String(value);
  if (SECRET_VALUE.test(text)) return undefined;
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
