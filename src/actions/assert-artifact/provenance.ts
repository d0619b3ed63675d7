import type { Failure } from "../../api/resources/assert-failures.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { prove, type Question } from "../provenance/prove.ts";

export interface Provenance {
  /** Reasons why the gate stays closed; empty if the attestation is valid. */
  readonly failures: readonly Failure[];
  readonly rows: readonly (readonly [string, string])[];
}

/** @throws what {@link prove} throws, so that the gate stays closed when the check cannot run */
export async function readProvenance(question: Question, context: ActionContext): Promise<Provenance> {
  const proof = await prove(question, context);
  if (!proof.proven)
    return { failures: proof.refusals.map(({ text }) => ({ reason: "unproven", text })), rows: [] };
  const { signer, sourceRepository, run } = proof.proven;
  context.info(`GitHub's attestation is valid: signed by ${signer}, in ${run || sourceRepository}.`);
  return { failures: [], rows: [["Signed by", signer]] };
}
