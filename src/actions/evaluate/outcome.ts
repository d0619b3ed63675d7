import { ApiError } from "../../api/client/errors.ts";
import type { EvaluationRecord } from "../../api/resources/evaluation-record.ts";
import { outcomeOf as enforced } from "../../evidence/rego/decision-outcome.ts";
import type { PolicyFault, PolicyFaultKind, PolicyProblem } from "../../evidence/rego/verdict.ts";
import type { ActionContext, Failure, Outcome } from "../../github/step/action.ts";
import type { Decision } from "./decision.ts";
import type { EvaluateOutput } from "./inputs.ts";
import type { UsedPolicy } from "./policy.ts";

type Result = Outcome<EvaluateOutput>;

const NOTHING = {
  allow: "false",
  violations: "[]",
  warned: "false",
  skipped: "false",
  "skip-reason": "",
  "policy-digest": "",
  "decision-id": "",
  "result-file": "",
} as const satisfies Record<EvaluateOutput, string>;

/** An evaluation that gave a verdict. */
export interface Evaluated {
  /** A service other than the embedded one names neither its engine nor the digest of its input. */
  readonly record: Pick<
    EvaluationRecord,
    "evaluated_by" | "policy" | "params" | "context" | "evaluated_at" | "allow" | "violations" | "skipped"
  > & { readonly engine?: string; readonly input_digest?: string };
  readonly decision: Decision | undefined;
}

/** The outcome of an evaluation that gave a verdict. */
export function outcomeOf(
  {
    record,
    decision,
    policy,
    failOnDenial,
    resultFile,
  }: Evaluated & {
    readonly policy: UsedPolicy;
    readonly failOnDenial: boolean;
    readonly resultFile: string;
  },
  { info, warn }: Pick<ActionContext, "info" | "warn">,
): Result {
  const { allow, violations, skipped } = record;
  const { warned } = enforced(policy.enforcement, record, record.evaluated_at);
  const denies = `Policy '${policy.name}' denies${warned ? ", but only warns" : ""}:`;
  const failure = allow ? undefined : denial(denies, violations);
  const fails = failOnDenial && !warned;
  if (failure === undefined) info(`Policy '${policy.name}' allows ${contextText(record)}.`);
  else if (!fails) warn(failure.text);
  const { digest } = record.policy;
  return {
    outputs: {
      allow: String(allow),
      violations: JSON.stringify(violations),
      warned: String(warned),
      skipped: String(skipped !== null),
      "skip-reason": skipped ?? "",
      "policy-digest": digest,
      "decision-id": decision?.id ?? "",
      "result-file": resultFile,
    },
    summary: {
      heading: allow ? "Policy allows" : "Policy denies",
      mark: skipped === null ? (allow ? "passed" : "failed") : "neutral",
      rows: [
        ["Policy", policy.name],
        ["Digest", digest],
        ["Evaluated", contextText(record)],
        ["Engine", record.engine ?? ""],
        ["Does not apply", skipped ?? ""],
        ["Decision", decision === undefined ? "" : `${decision.name}, about control ${decision.control}`],
        ["Decision ID", decision?.id ?? ""],
        ...(allow ? [] : violations.map((violation) => ["Violation", violation])),
      ],
      link: decision && { text: "Open the trail", url: decision.url },
    },
    ...(failure && fails && { failure }),
  };
}

function denial(begin: string, violations: readonly string[]): Failure {
  const listed =
    violations.length === 0 ? ["The policy names no violation."] : violations.map((each) => `- ${each}`);
  return {
    code: "evaluation.denied",
    title: "Policy denies",
    text: [begin, ...listed].join("\n"),
  };
}

function contextText({ context }: Evaluated["record"]): string {
  if ("trails" in context) {
    const { trails } = context;
    const [first] = trails;
    return trails.length === 1 && first ? `trail ${first.flow}/${first.trail}` : `${trails.length} trails`;
  }
  return "artifact" in context
    ? `artifact ${context.artifact}`
    : `snapshot ${context.snapshot} of ${context.environment}`;
}

const TITLES: Readonly<Record<PolicyFaultKind, string>> = {
  policy: "The policy is not valid",
  evaluation: "The policy failed while it ran",
  limit: "The policy exceeded a limit",
  engine: "The policy could not be run",
};

/** The outcome without a verdict. Problems in files of the workspace are annotations there. */
export function noResult(
  fault: PolicyFault,
  { placeOf }: Pick<UsedPolicy, "placeOf">,
  { error }: Pick<ActionContext, "error">,
): Result {
  const ofService = fault.cause instanceof ApiError ? fault.cause.code : undefined;
  const code = ofService ?? (fault.kind === "engine" ? "evaluation.no_engine" : "evaluation.failed");
  const [first] = fault.problems;
  const title = TITLES[fault.kind];
  for (const problem of fault.problems) {
    const { message, file, line } = problem;
    if (file === undefined || placeOf === undefined) continue;
    error(message, `${title} (${code})`, {
      file: placeOf(file),
      ...(line !== undefined && { line }),
    });
  }
  const text =
    first?.file === undefined
      ? fault.message
      : fault.problems.map((each) => placeText(each, placeOf)).join("\n");
  return { outputs: NOTHING, failure: { code, title, text, undecided: true } };
}

function placeText(
  { message, file, line }: PolicyProblem,
  placeOf: (path: string) => string = (path) => path,
): string {
  if (file === undefined) return message;
  return `${placeOf(file)}${line === undefined ? "" : `:${line}`}: ${message}`;
}

/** A dry run reads nothing, so there is nothing to evaluate. */
export function notEvaluated(): Result {
  return {
    outputs: NOTHING,
    failure: {
      code: "evaluation.dry_run",
      title: "Nothing was evaluated",
      text: "A dry run reads no records, so the policy gives no result.",
      undecided: true,
    },
  };
}
