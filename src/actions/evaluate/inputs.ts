import type { InputProblem } from "../../api/client/errors.ts";
import { attestationName, policyName } from "../../api/names.ts";
import type { Checked } from "../../github/step/action.ts";
import { choice, flag, lines, text, type ValuesOf, whole } from "../../github/step/input.ts";
import type { GivenPolicy } from "./policy.ts";
import type { Subject, TrailName } from "./records.ts";

export const inputs = {
  policy: text({
    description:
      "Rego policy in the workspace: a `.rego` file, or a folder whose `.rego` files belong together. Its package must be `package policy`.",
  }),
  "policy-id": text({
    description:
      "Published decision policy in place of `policy`: its identifier for the latest version, or `IDENTIFIER@VERSION`.",
  }),
  "run-on": choice({
    choices: ["runner", "service"],
    default: "runner",
    description:
      "Place of the evaluation. `service` needs no opa on the runner, and its decisions count for controls that are bound to a decision policy.",
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
  name: text({
    description: "Name of the decision. Default: `<control>-decision`, if that is a valid name.",
  }),
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
  warned: "`true` if the policy denies and only warns, so that the decision is compliant; otherwise `false`.",
  skipped: "`true` if the policy says that it does not apply, otherwise `false`.",
  "skip-reason": "Reason why the policy does not apply.",
  "policy-digest": "Digest of the policy's files, as `sha256:…`.",
  "decision-id": "ID of the recorded decision; empty if there is none.",
  "result-file": "Path of a JSON file with the record of the evaluation, or the results of `what-if`.",
};
export type EvaluateOutput = keyof typeof outputs;

/** Choices of the inputs that `run` needs. */
export interface EvaluateRequest extends Omit<Values, "policy" | "policyId" | "decisionTrail" | "whatIf"> {
  readonly policy: GivenPolicy;
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
  if (given.has("what-if")) {
    for (const input of ["name", "decision-trail"]) {
      if (given.has(input))
        problems.push({ input, problem: "cannot be used with `what-if`, which records nothing" });
    }
  }
  if (values.runOn === "service") {
    for (const input of ["opa-path", "what-if"]) {
      if (given.has(input)) problems.push({ input, problem: "is used only on the runner: remove `run-on`" });
    }
  }
  const policy = policyIn(values, problems);
  const name = given.has("what-if") ? undefined : decisionName(values, problems);
  const trails = trailsIn("trails", values.trails, problems);
  const [decisionTrail] =
    values.decisionTrail === undefined ? [] : trailsIn("decision-trail", [values.decisionTrail], problems);
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
    : { values: { ...values, policy, name, decisionTrail, subject: subjectOf(values, trails) } };
}

function policyIn({ policy, policyId }: Values, problems: InputProblem[]): GivenPolicy {
  if (policyId === undefined) {
    if (policy !== undefined) return { path: policy };
    const problem = "is required, or set `policy-id` instead";
    problems.push({ input: "policy", problem, missing: true });
    return { path: "" };
  }
  const input = "policy-id";
  if (policy !== undefined) {
    problems.push({ input, problem: "cannot be used with `policy`: set one of them" });
  }
  const [, identifier = "", version] = /^([^@]+)(?:@([1-9]\d{0,8}))?$/.exec(policyId) ?? [];
  if (!policyName.safeParse(identifier).success) {
    const problem = `must be an identifier, such as 'reviewed', or one version, such as 'reviewed@2', not '${policyId}'`;
    problems.push({ input, problem });
  }
  return { identifier, version: version === undefined ? undefined : Number(version) };
}

/** Controls may have characters that names of attestations cannot have. */
function decisionName({ control, name }: Values, problems: InputProblem[]): string | undefined {
  if (name !== undefined || control === undefined) return name;
  const usual = `${control}-decision`;
  if (!attestationName.safeParse(usual).success) {
    const problem = `is required for the control '${control}', because '${usual}' may only have letters, digits, '-', '_' and ','`;
    problems.push({ input: "name", problem, missing: true });
  }
  return usual;
}

/** Reports the first wrong line only, because all others may be wrong in the same way. */
function trailsIn(input: string, lines: readonly string[], problems: InputProblem[]): TrailName[] {
  const read = lines.map((line) => {
    const [, flow = "", trail = ""] = /^([^/]+)\/(.+)$/.exec(line) ?? [];
    return { flow, trail };
  });
  const wrong = lines.find((_, index) => read[index]?.flow === "");
  if (wrong !== undefined)
    problems.push({ input, problem: `must be a flow and a trail, such as 'web/v1', not '${wrong}'` });
  return read;
}

function subjectOf(
  { whatIf, fingerprint, environment, snapshot }: Values,
  trails: readonly TrailName[],
): EvaluateRequest["subject"] {
  if (whatIf !== undefined) return { whatIf };
  if (fingerprint !== undefined) return { fingerprint };
  return environment === undefined ? { trails } : { environment, snapshot: snapshot ?? "-1" };
}
