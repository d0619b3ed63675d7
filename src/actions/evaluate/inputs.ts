import type { InputProblem } from "../../api/client/errors.ts";
import type { Checked } from "../../github/step/action.ts";
import { flag, lines, required, text, type ValuesOf, whole } from "../../github/step/input.ts";
import type { Subject, TrailName } from "./records.ts";

export const inputs = {
  policy: required({
    description:
      "Rego policy in the workspace: a `.rego` file, or a folder whose `.rego` files belong together. The package must be `policy`.",
  }),
  trails: lines({ description: "Trails to evaluate, as `flow/trail` lines." }),
  fingerprint: text({
    description:
      "SHA-256 of an artifact to evaluate, with the trails that report it: 64 hex digits, `sha256:…` or `name@sha256:…`.",
  }),
  environment: text({ description: "Environment whose snapshot to evaluate." }),
  snapshot: text({
    description:
      "Snapshot of `environment`, such as `12`, `~1` or `@{2026-01-31T12:00:00}`. Default: the latest.",
  }),
  params: text({
    description: "Object that the policy reads as `data.params`: YAML, JSON, or the path of a file with one.",
  }),
  "opa-path": text({
    description: "Path of the program opa. Default: opa on the `PATH`, or in the tool cache of the runner.",
  }),
  control: text({
    description: "Identifier of the control to decide. Without it, no decision is recorded.",
  }),
  name: text({ description: "Name of the decision. Default: `<control>-decision`." }),
  "decision-trail": text({
    description:
      "Trail to record the decision on, as `flow/trail`. Default: the evaluated trail, or the artifact's newest one.",
  }),
  "fail-on-denial": flag({
    default: "true",
    description: "Whether to fail if the policy does not allow. With `false`, a denial is a warning.",
  }),
  "what-if": text({
    description:
      "Flow whose trails to evaluate without recording anything, to try a policy. With `control`, results are compared with the recorded decisions. Excludes all records above.",
  }),
  "what-if-days": whole({
    min: 1,
    max: 365,
    default: "90",
    description: "Age of the oldest trail for `what-if`, in days.",
  }),
};

type Values = ValuesOf<typeof inputs>;

export const outputs = {
  allow: "`true` only if the policy allows. Otherwise `false`; empty with `what-if`.",
  violations: "Violations of the policy: a JSON array of texts.",
  skipped: "`true` if the policy says that it does not apply, otherwise `false`.",
  "skip-reason": "Reason why the policy does not apply.",
  "policy-digest": "Digest of the policy's files, as `sha256:…`.",
  "decision-id": "ID of the recorded decision; empty if there is none.",
  "result-file": "Path of a JSON file with the record of the evaluation, or the results of `what-if`.",
};
export type EvaluateOutput = keyof typeof outputs;

/** Choices of the inputs that `run` needs. */
export interface EvaluateRequest extends Omit<Values, "decisionTrail" | "whatIf"> {
  readonly subject: Subject | { readonly whatIf: string };
  readonly decisionTrail: TrailName | undefined;
}

/** Inputs that only some records take. */
const SUBJECTS = ["trails", "fingerprint", "environment", "what-if"] as const;

export function check(values: Values, given: ReadonlySet<string>): Checked<EvaluateRequest> {
  const problems: InputProblem[] = [];
  const [first, ...others] = SUBJECTS.filter((name) => given.has(name));
  if (first === undefined) {
    const problem = "is required, or set `fingerprint`, `environment` or `what-if` instead";
    problems.push({ input: "trails", problem, missing: true });
  }
  for (const input of others)
    problems.push({ input, problem: `cannot be used with \`${first}\`: set one of them` });
  const needs = (input: string, other: string) => {
    if (given.has(input) && !given.has(other))
      problems.push({ input, problem: `is used only with \`${other}\`` });
  };
  needs("snapshot", "environment");
  needs("name", "control");
  needs("decision-trail", "control");
  needs("what-if-days", "what-if");
  for (const input of ["name", "decision-trail"]) {
    if (given.has("what-if") && given.has(input))
      problems.push({ input, problem: "cannot be used with `what-if`, which records nothing" });
  }
  const trails = values.trails.map((line) => trailIn("trails", line, problems));
  const decisionTrail =
    values.decisionTrail === undefined
      ? undefined
      : trailIn("decision-trail", values.decisionTrail, problems);
  if (
    given.has("control") &&
    !given.has("decision-trail") &&
    (values.trails.length > 1 || first === "environment")
  ) {
    const problem = "is required, because no single trail is evaluated";
    problems.push({ input: "decision-trail", problem, missing: true });
  }
  return problems.length > 0
    ? { problems }
    : { values: { ...values, decisionTrail, subject: subjectOf(values, trails) } };
}

function trailIn(input: string, line: string, problems: InputProblem[]): TrailName {
  const [, flow, trail] = /^([^/]+)\/(.+)$/.exec(line) ?? [];
  if (flow !== undefined && trail !== undefined) return { flow, trail };
  problems.push({ input, problem: `must be a flow and a trail, such as 'web/v1', not '${line}'` });
  return { flow: "", trail: "" };
}

function subjectOf(
  { whatIf, fingerprint, environment, snapshot }: Values,
  trails: readonly TrailName[],
): EvaluateRequest["subject"] {
  if (whatIf !== undefined) return { whatIf };
  if (fingerprint !== undefined) return { fingerprint };
  return environment === undefined ? { trails } : { environment, snapshot: snapshot ?? "-1" };
}
