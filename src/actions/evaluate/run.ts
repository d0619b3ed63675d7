import type { EvaluationRecord } from "../../api/resources/evaluation-record.ts";
import { evaluatePolicy } from "../../evidence/rego/evaluate.ts";
import { describeEvaluation } from "../../evidence/rego/evaluation-package.ts";
import { findOpa } from "../../evidence/rego/find-opa.ts";
import { type Opa, openOpa } from "../../evidence/rego/opa.ts";
import { readPolicy, type WorkspacePolicy } from "../../evidence/rego/read-policy.ts";
import { PolicyFault } from "../../evidence/rego/verdict.ts";
import type { ActionContext, Outcome } from "../../github/step/action.ts";
import { writeResultFile } from "../result-file.ts";
import { recordDecision } from "./decision.ts";
import type { EvaluateOutput, EvaluateRequest } from "./inputs.ts";
import { noResult, notEvaluated, outcomeOf } from "./outcome.ts";
import { readParams } from "./params.ts";
import { readRecords, type Subject } from "./records.ts";

type Result = Outcome<EvaluateOutput>;

/** Evaluates the policy for one input, and records the decision if there is a control. */
export async function evaluateOnce(
  subject: Subject,
  values: EvaluateRequest,
  context: ActionContext,
): Promise<Result> {
  return withPolicy(values, context, async ({ policy, params, opa }) => {
    // Records are read while opa tells its version.
    const [engine, found] = await Promise.all([opa(), readRecords(await named(subject), context)]);
    const at = Date.now() / 1000;
    const input = JSON.stringify(found.document);
    const call = { files: policy.files, params, inputs: [input], at };
    const [verdict] = await evaluatePolicy(engine, call, { signal: context.signal });
    if (verdict === undefined) throw new Error("opa gave no verdict");
    const { record, file } = await describeEvaluation({
      by: "client",
      opa: engine,
      files: policy.files,
      params,
      context: found.context,
      input,
      at,
      verdict,
    });
    const decision = await recordDecision({ record, file, found, values }, context);
    return outcomeOf({ record, decision, values, resultFile: await resultFile(record, context) }, context);
  });
}

function resultFile(record: EvaluationRecord, context: ActionContext): Promise<string> {
  return writeResultFile("evaluate", record, context);
}

/** Evaluates the policy for the trails of a flow, and records nothing. */
export async function evaluateHistory(
  flow: string,
  values: EvaluateRequest,
  context: ActionContext,
): Promise<Result> {
  const { whatIf } = await import("./what-if.ts");
  return withPolicy(values, context, async ({ policy, params, opa }) =>
    whatIf(
      { flow, days: values.whatIfDays, control: values.control, policy, params, opa: await opa() },
      context,
    ),
  );
}

interface Prepared {
  readonly policy: WorkspacePolicy;
  readonly params: Readonly<Record<string, unknown>>;
  readonly opa: () => Promise<Opa>;
}

/** Reads the policy and finds opa before anything is requested. Without a verdict, the outcome says why. */
async function withPolicy(
  { policy: path, params: given, opaPath }: EvaluateRequest,
  context: ActionContext,
  work: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const workspace = context.runner.workspace ?? process.cwd();
  const policy = await readPolicy(path, workspace);
  const params = await readParams(given, workspace);
  if (context.dryRun) return notEvaluated();
  try {
    const program = findOpa({ given: opaPath, environment: context.runner.childEnv });
    return await work({ policy, params, opa: () => openOpa(program, context.signal) });
  } catch (error) {
    if (!(error instanceof PolicyFault)) throw error;
    return noResult(error, policy, context);
  }
}

async function named(subject: Subject): Promise<Subject> {
  if (!("fingerprint" in subject)) return subject;
  const { normalizeFingerprint } = await import("../../evidence/fingerprint.ts");
  return { fingerprint: normalizeFingerprint(subject.fingerprint, "fingerprint") };
}
