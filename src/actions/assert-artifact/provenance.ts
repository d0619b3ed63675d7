import type { Failure } from "../../api/resources/assert-failures.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { prove, type Question } from "../provenance/prove.ts";

/** What GitHub's attestation of an artifact adds to the gate. */
export interface Provenance {
  /** Why it keeps the gate shut; none when it proves what it must. */
  readonly failures: readonly Failure[];
  /** What it proves, for the summary. */
  readonly rows: readonly (readonly [string, string])[];
}

/** @throws what {@link prove} throws: a gate that cannot tell stays shut */
export async function readProvenance(
  values: Question,
  fingerprint: string,
  context: ActionContext,
): Promise<Provenance> {
  const proof = await prove(values, fingerprint, { allowOutside: true }, context);
  if (!proof.proven)
    return { failures: proof.refusals.map(({ text }) => ({ reason: "unproven", text })), rows: [] };
  const { signer, sourceRepository, run } = proof.proven;
  context.info(`GitHub's attestation holds: signed by ${signer}, in ${run || sourceRepository}.`);
  return { failures: [], rows: [["Signed by", signer]] };
}
