import type { EvaluationRequest } from "../../../api/resources/evaluations.ts";
import { invalidInput } from "../../kernel/errors.ts";

/** The records that a policy reads. */
export type EvaluatedContext =
  | { readonly kind: "trails"; readonly trails: readonly { readonly flow: string; readonly trail: string }[] }
  | { readonly kind: "artifact"; readonly fingerprint: string }
  | { readonly kind: "snapshot"; readonly environment: string; readonly snapshot: number | undefined };

/** @throws Invalid unless exactly one of trails, artifact and environment is given */
export function contextIn(context: EvaluationRequest["context"]): EvaluatedContext {
  const { trails, artifact, environment, snapshot } = context;
  const given: EvaluatedContext[] = [];
  if (trails) given.push({ kind: "trails", trails });
  if (artifact !== undefined) given.push({ kind: "artifact", fingerprint: artifact });
  if (environment !== undefined) given.push({ kind: "snapshot", environment, snapshot });
  else if (snapshot !== undefined)
    throw invalidInput({ "context.snapshot": "Give the environment of the snapshot" });
  const [only, ...others] = given;
  if (only === undefined || others.length > 0)
    throw invalidInput({ context: "Give exactly one of trails, artifact and environment" });
  return only;
}
