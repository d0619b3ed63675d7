import { asObject } from "../../api/untyped.ts";
import type { PolicyFiles } from "./policy-files.ts";

/** Result of a policy for one input. */
export interface Verdict {
  readonly allow: boolean;
  /** Why it is not allowed. Violations that are not texts are JSON. */
  readonly violations: readonly string[];
  /** Why the policy does not apply to the input. Null if it applies. */
  readonly skipped: string | null;
}

/** A position in a file of a policy. */
export interface PolicyProblem {
  readonly message: string;
  /** Path within the policy. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
}

export type PolicyFaultKind =
  /** The policy does not compile, or breaks its contract. */
  | "policy"
  /** The policy compiles, and failed while it ran. */
  | "evaluation"
  /** The limit of time, memory or output was exceeded. */
  | "limit"
  /** `opa` could not be run. */
  | "engine";

/** A policy gives no verdict: its input is neither allowed nor denied. */
export class PolicyFault extends Error {
  readonly kind: PolicyFaultKind;
  readonly problems: readonly PolicyProblem[];

  constructor(kind: PolicyFaultKind, problems: readonly PolicyProblem[], cause?: unknown) {
    super(problems.map(inWords).join("\n"), cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.problems = problems;
  }
}

function inWords({ message, file, line }: PolicyProblem): string {
  if (file === undefined) return message;
  return `${file}${line === undefined ? "" : `:${line}`}: ${message}`;
}

/** Reads what `data.policy` is for one input. @throws {PolicyFault} if that is no verdict */
export function readVerdict(result: unknown, files: PolicyFiles): Verdict {
  const { allow, violations, skipped, skip_reason } = asObject(result);
  if (allow === undefined) throw withoutAllow(files);
  if (typeof allow !== "boolean")
    throw broken(`policy 'allow' rule must evaluate to boolean, got ${kindOf(allow)}`);
  if (skipped !== undefined && typeof skipped !== "boolean")
    throw broken(`policy 'skipped' rule must evaluate to boolean, got ${kindOf(skipped)}`);
  const reason = typeof skip_reason === "string" ? skip_reason : "no reason given";
  return { allow, violations: textsOf(violations), skipped: skipped === true ? reason : null };
}

function withoutAllow(files: PolicyFiles): PolicyFault {
  if (Object.values(files).some((text) => /^\s*(?:default\s+)?allow\b/m.test(text)))
    return broken("policy did not return a result for 'data.policy.allow': add 'default allow := false'");
  const place = placeOf(/^[ \t]*package[ \t]+policy[ \t\r]*$/m, files);
  return new PolicyFault("policy", [{ message: "policy must declare an 'allow' rule", ...place }]);
}

/** The first place of a pattern in the files. */
function placeOf(pattern: RegExp, files: PolicyFiles): Pick<PolicyProblem, "file" | "line"> | undefined {
  for (const [file, text] of Object.entries(files)) {
    const index = text.search(pattern);
    if (index >= 0) return { file, line: text.slice(0, index).split("\n").length };
  }
  return undefined;
}

/** The fault of files among which none has the package `policy`. */
export function withoutPackage(files: PolicyFiles): PolicyFault {
  const declaration = /^[ \t]*package[ \t]+(\S+)/m;
  const [[, found = ""] = []] = Object.values(files).flatMap((text) => [declaration.exec(text) ?? []]);
  const message = `policy package must be 'package policy', got '${found}'`;
  return new PolicyFault("policy", [{ message, ...placeOf(declaration, files) }]);
}

/** Whether a fault is the same for every input: opa did not start, or the policy does not compile. */
export function isOfEveryInput({ kind, problems }: PolicyFault): boolean {
  return kind === "engine" || (kind === "policy" && problems.some(({ file }) => file !== undefined));
}

function textsOf(violations: unknown): string[] {
  if (violations === undefined) return [];
  const listed = Array.isArray(violations) ? violations : [violations];
  return listed.map((violation) => (typeof violation === "string" ? violation : JSON.stringify(violation)));
}

function broken(message: string): PolicyFault {
  return new PolicyFault("policy", [{ message }]);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
