import { evaluatePolicy } from "../../evidence/rego/evaluate.ts";
import { describeEvaluation } from "../../evidence/rego/evaluation-package.ts";
import { findOpa } from "../../evidence/rego/find-opa.ts";
import { type Opa, openOpa } from "../../evidence/rego/opa.ts";
import { PolicyFault } from "../../evidence/rego/verdict.ts";
import type { ActionContext, Outcome } from "../../github/step/action.ts";
import { writeResultFile } from "../result-file.ts";
import { recordDecision } from "./decision.ts";
import type { EvaluateOutput, EvaluateRequest } from "./inputs.ts";
import { evaluateOnService } from "./on-service.ts";
import { type Evaluated, noResult, notEvaluated, outcomeOf } from "./outcome.ts";
import { readParams } from "./params.ts";
import { readOwnPolicy, readPublishedPolicy, type UsedPolicy } from "./policy.ts";
import { readRecords, type Subject } from "./records.ts";

type Result = Outcome<EvaluateOutput>;

/** Evaluates the policy for one input, and records the decision if there is a control. */
export async function evaluateOnce(
  given: Subject,
  values: EvaluateRequest,
  context: ActionContext,
): Promise<Result> {
  return withPolicy(values, context, async (prepared) => {
    const subject = await named(given);
    const evaluated =
      prepared.opa === undefined
        ? await evaluateOnService(subject, prepared, values, context)
        : await evaluateHere(subject, { ...prepared, opa: prepared.opa }, values, context);
    if (evaluated === undefined) return notEvaluated();
    const resultFile = await writeResultFile("evaluate", evaluated.record, context);
    const { policy } = prepared;
    return outcomeOf({ ...evaluated, policy, failOnDenial: values.failOnDenial, resultFile }, context);
  });
}

async function evaluateHere(
  subject: Subject,
  { policy, params, opa }: Prepared & { readonly opa: () => Promise<Opa> },
  values: EvaluateRequest,
  context: ActionContext,
): Promise<Evaluated> {
  // Records are read while opa tells its version.
  const [engine, found] = await Promise.all([opa(), readRecords(subject, context)]);
  const at = Date.now() / 1000;
  const input = JSON.stringify(found.document);
  const { files, published } = policy;
  const call = { files, params, inputs: [input], at };
  const [verdict] = await evaluatePolicy(engine, call, { signal: context.signal });
  if (verdict === undefined) throw new Error("opa gave no verdict");
  const { record, file } = await describeEvaluation({
    by: "client",
    opa: engine,
    files,
    ...(published && { published }),
    params,
    context: found.context,
    input,
    at,
    verdict,
  });
  return { record, decision: await recordDecision({ record, file, found, policy, values }, context) };
}

/** Evaluates the policy for the trails of a flow, and records nothing. */
export async function evaluateHistory(
  flow: string,
  values: EvaluateRequest,
  context: ActionContext,
): Promise<Result> {
  const { whatIf } = await import("./what-if.ts");
  return withPolicy(values, context, async ({ policy, params, opa }) => {
    if (opa === undefined) throw new Error("only the runner evaluates the trails of a flow");
    const { whatIfDays: days, control } = values;
    return whatIf({ flow, days, control, policy, params, opa: await opa() }, context);
  });
}

interface Prepared {
  readonly policy: UsedPolicy;
  readonly params: Readonly<Record<string, unknown>>;
  /** Undefined if the service evaluates. */
  readonly opa: (() => Promise<Opa>) | undefined;
}

/**
 * Reads the policy of the workspace and finds opa before anything is requested. Without a verdict, the outcome says why.
 */
async function withPolicy(
  { policy: given, params: givenParams, opaPath, runOn }: EvaluateRequest,
  context: ActionContext,
  work: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const workspace = context.runner.workspace ?? process.cwd();
  const own = "path" in given ? await readOwnPolicy(given.path, workspace) : undefined;
  const params = await readParams(givenParams, workspace);
  const runsHere = runOn === "runner";
  if (runsHere && context.dryRun) return notEvaluated();
  try {
    const program = runsHere && findOpa({ given: opaPath, environment: context.runner.childEnv });
    const opa = program ? () => openOpa(program, context.signal) : undefined;
    const policy = "path" in given ? own : await readPublishedPolicy(given, context);
    return policy === undefined ? notEvaluated() : await work({ policy, params, opa });
  } catch (error) {
    if (!(error instanceof PolicyFault)) throw error;
    return noResult(error, own ?? {}, context);
  }
}

async function named(subject: Subject): Promise<Subject> {
  if (!("fingerprint" in subject)) return subject;
  const { normalizeFingerprint } = await import("../../evidence/fingerprint.ts");
  return { fingerprint: normalizeFingerprint(subject.fingerprint, "fingerprint") };
}
