import { type ActionContext, defineAction, type Outcome } from "../github/step/action.ts";
import { check, type EvaluateOutput, type EvaluateRequest, inputs, outputs } from "./evaluate/inputs.ts";

export const evaluate = defineAction({
  name: "evaluate",
  title: "Evaluate a Rego policy",
  description:
    "Decides with your Rego policy over trails, an artifact or a snapshot, and records the decision.",
  inputs,
  outputs,
  fields: { flow_name: "trails", trail_name: "trails", env_name: "environment", attestation_name: "name" },
  unknown: { allow: "false", violations: "[]", warned: "false", skipped: "false" },
  check,
  run,
});

async function run(values: EvaluateRequest, context: ActionContext): Promise<Outcome<EvaluateOutput>> {
  const { evaluateOnce, evaluateHistory } = await import("./evaluate/run.ts");
  const { subject } = values;
  return "whatIf" in subject
    ? evaluateHistory(subject.whatIf, values, context)
    : evaluateOnce(subject, values, context);
}
