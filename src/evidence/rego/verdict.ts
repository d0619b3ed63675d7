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
  if (allow === undefined) throw broken(whyUndefined(files));
  if (typeof allow !== "boolean")
    throw broken(`policy 'allow' rule must evaluate to boolean, got ${kindOf(allow)}`);
  if (skipped !== undefined && typeof skipped !== "boolean")
    throw broken(`policy 'skipped' rule must evaluate to boolean, got ${kindOf(skipped)}`);
  const reason = typeof skip_reason === "string" ? skip_reason : "no reason given";
  return { allow, violations: textsOf(violations), skipped: skipped === true ? reason : null };
}

function whyUndefined(files: PolicyFiles): string {
  return Object.values(files).some((text) => /^\s*(?:default\s+)?allow\b/m.test(text))
    ? "policy did not return a result for 'data.policy.allow': add 'default allow := false'"
    : "policy must declare an 'allow' rule";
}

/** The fault of files among which none has the package `policy`. */
export function withoutPackage(files: PolicyFiles): PolicyFault {
  const [file = "", text = ""] = Object.entries(files)[0] ?? [];
  const found = /^[ \t]*package[ \t]+(\S+)/m.exec(text);
  const line = text.slice(0, found?.index).split("\n").length;
  return new PolicyFault("policy", [
    { message: `policy package must be 'package policy', got '${found?.[1] ?? ""}'`, file, line },
  ]);
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
