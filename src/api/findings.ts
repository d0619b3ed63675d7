import type * as z from "zod/mini";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Longer values are cut: an error message is for reading. */
const MAX_SHOWN = 100;
const SECRET_NAME = /webhook|secret|token|password|api_?key|authorization/i;
const SECRET_VALUE = /hooks\.slack\.com|\/api\/webhooks\/|^det?_|^gh[a-z]_|^github_pat_|^xox|:\/\/[^/]*@/i;

/** One thing that is wrong with an input, and where. */
export interface Finding {
  readonly path: Path;
  readonly value: unknown;
  /** Nothing is there, or something that nobody knows; else what is wrong with the value. */
  readonly fault: "missing" | "unknown" | Issue;
}

/** Everything that is wrong with an input, down to the fields. */
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

/** The member of a union that the author meant: one whose type fits, so that only its content is wrong. */
function bestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find((branch) => !branch.some((i) => i.path.length === 0 && i.code === "invalid_type"));
}

/** A field by its path: `artifacts[0].digests`. */
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

/** A value as a message may show it; undefined for one that looks like a secret. */
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
