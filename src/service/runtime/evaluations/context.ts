import type { EvaluationRequest } from "../../../api/resources/evaluations.ts";
import { invalidInput } from "../../kernel/errors.ts";

/** The records that a policy reads. */
export type EvaluatedContext =
  | { readonly kind: "trails"; readonly trails: readonly { readonly flow: string; readonly trail: string }[] }
  | { readonly kind: "artifact"; readonly fingerprint: string }
  | { readonly kind: "snapshot"; readonly environment: string; readonly snapshot: number | undefined };

/** @throws Invalid unless exactly one of trails, artifact and environment is given */
export function contextIn({
  trails,
  artifact,
  environment,
  snapshot,
}: EvaluationRequest["context"]): EvaluatedContext {
  const given = [trails, artifact, environment].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw invalidInput({ context: "Give exactly one of trails, artifact and environment" });
  if (snapshot !== undefined && environment === undefined)
    throw invalidInput({ "context.snapshot": "Give the environment of the snapshot" });
  if (trails) return { kind: "trails", trails };
  if (artifact !== undefined) return { kind: "artifact", fingerprint: artifact };
  return { kind: "snapshot", environment: environment ?? "", snapshot };
}
