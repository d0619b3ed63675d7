import { isDeepStrictEqual } from "node:util";
import type { EvaluationRecord } from "../../api/resources/evaluation-record.ts";
import type { Untyped } from "../../api/untyped.ts";
import { evaluateData } from "./evaluate.ts";
import { type EvaluationPackage, evaluationData, inputDigest } from "./evaluation-package.ts";
import type { Opa } from "./opa.ts";
import { fileDigests, policyDigest, policyFileProblems } from "./policy-files.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Returns how the contents of a package contradict its record, or the record of its decision.
 *
 * @param decided record of the decision at the service
 */
export function packageProblems(
  { record, input, data, policy }: EvaluationPackage,
  decided: EvaluationRecord | undefined,
): string[] {
  const { digest, files } = record.policy;
  const problems = policyFileProblems(policy).map(({ problem }) => problem);
  if (decided !== undefined && !isDeepStrictEqual(asData(decided), asData(record)))
    problems.push("evaluation.json is not the record of the decision");
  if (inputDigest(input) !== record.input_digest) problems.push("input.json was changed: its digest differs");
  const own = fileDigests(policy);
  for (const path of new Set([...Object.keys(files), ...Object.keys(own)]))
    if (files[path] !== own[path]) problems.push(`policy/${path} was ${changeOf(files[path], own[path])}`);
  if (policyDigest(policy) !== digest) problems.push("the digest of the policy differs");
  if (!isDeepStrictEqual(parsed(data), asData(parsed(evaluationData(record.params, record.evaluated_at)))))
    problems.push("data.json was changed: it has other params or another time");
  return problems;
}

/**
 * Returns how the result of a decision contradicts its evaluation. A published policy may only warn.
 *
 * @param data data of the attestation
 */
export function decisionProblems(
  { is_compliant, warned }: Untyped,
  { allow, policy }: EvaluationRecord,
): string[] {
  if (is_compliant === (allow || (warned === true && policy.published))) return [];
  const result = is_compliant === true ? "compliant" : "not compliant";
  return [`the decision is ${result}, but its evaluation ${allow ? "allows" : "denies"}`];
}

function changeOf(recorded: string | undefined, found: string | undefined): string {
  if (recorded === undefined) return "added";
  return found === undefined ? "removed" : "changed: its digest differs";
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Without prototypes and the notation of numbers. */
function asData(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/**
 * Repeats an evaluation. The functions that the policy may use are those of this program, because a hostile package
 * could allow more.
 *
 * @throws {PolicyFault} without a verdict, or the reason of the signal
 */
export async function repeatEvaluation(
  opa: Opa,
  { policy, data, input }: EvaluationPackage,
  signal: AbortSignal,
): Promise<Verdict> {
  const [verdict] = await evaluateData(opa, { files: policy, data, inputs: [input] }, { signal });
  if (verdict === undefined) throw new Error("opa gave no verdict");
  return verdict;
}

/** Returns how a verdict differs from the recorded one. */
export function verdictDifferences(
  { allow, violations, skipped }: EvaluationRecord,
  again: Verdict,
): string[] {
  const differences: string[] = [];
  if (again.allow !== allow) differences.push(`allow: ${allow} was recorded, ${again.allow} is evaluated`);
  const missing = violations.filter((each) => !again.violations.includes(each));
  const added = again.violations.filter((each) => !violations.includes(each));
  differences.push(...missing.map((each) => `violation only in the record: ${each}`));
  differences.push(...added.map((each) => `violation only in the evaluation: ${each}`));
  if (again.skipped !== skipped)
    differences.push(`skipped: ${skipped ?? "no"} was recorded, ${again.skipped ?? "no"} is evaluated`);
  if (differences.length === 0 && !isDeepStrictEqual([...violations], [...again.violations]))
    differences.push("violations: their order or number differs");
  return differences;
}
