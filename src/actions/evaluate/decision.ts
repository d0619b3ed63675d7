import { ApiError, InputError } from "../../api/client/errors.ts";
import type { FileToSend } from "../../api/files.ts";
import { attestSystem } from "../../api/resources/attestation-kinds.ts";
import { listAttestations } from "../../api/resources/attestations.ts";
import type { EvaluationRecord } from "../../api/resources/evaluation-record.ts";
import { asObject } from "../../api/untyped.ts";
import { outcomeOf } from "../../evidence/rego/decision-outcome.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { trailUrl } from "../links.ts";
import type { EvaluateRequest } from "./inputs.ts";
import type { UsedPolicy } from "./policy.ts";
import type { EvaluationInput, TrailName } from "./records.ts";

export interface Decision {
  /** Empty if the service does not list it. */
  readonly id: string;
  readonly name: string;
  readonly control: string;
  /** Address of the trail's page. */
  readonly url: string;
}

/** Records the result as a decision about the control, with everything that repeats the evaluation. */
export async function recordDecision(
  evaluated: {
    readonly record: EvaluationRecord;
    readonly file: FileToSend;
    readonly found: EvaluationInput;
    readonly policy: UsedPolicy;
    readonly values: EvaluateRequest;
  },
  context: ActionContext,
): Promise<Decision | undefined> {
  const { record, file, found, policy, values } = evaluated;
  const { control, name } = values;
  if (control === undefined || name === undefined) return undefined;
  const { flow, trail } = decisionPlace(values, found.trail);
  const { isCompliant, warned } = outcomeOf(policy.enforcement, record, record.evaluated_at);
  const artifact = "artifact" in record.context ? record.context.artifact : undefined;
  await context
    .call(attestSystem, {
      flowName: flow,
      trailName: trail,
      files: { attachmentFile: [file] },
      body: {
        attestationName: name,
        typeName: "decision",
        control,
        attestationData: { is_compliant: isCompliant, ...(warned && { warned }), evaluation: record },
        ...(artifact !== undefined && { artifactFingerprint: artifact }),
        ...(context.runner.runUrl !== undefined && { originUrl: context.runner.runUrl }),
      },
    })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== "control.bound_to_policy") throw error;
      throw error.explained({ advice: "Set `run-on: service` and `policy-id` to that policy." });
    });
  context.info(recordedText({ name, control, trail }));
  const id = await idOf({ flow, trail, name, record }, context);
  return { id, name, control, url: trailUrl(context.connection, flow, trail) };
}

export function recordedText({
  name,
  control,
  trail,
}: Pick<Decision, "name" | "control"> & Pick<TrailName, "trail">): string {
  return `Recorded the decision '${name}' about control ${control} on trail '${trail}'.`;
}

/**
 * The trail to record the decision on.
 *
 * @throws {InputError} (`decision-trail`) if neither the inputs nor the records name one
 */
export function decisionPlace(values: EvaluateRequest, found: TrailName | undefined): TrailName {
  const place = values.decisionTrail ?? found;
  if (place !== undefined) return place;
  const problem = "is required, because no single trail is evaluated";
  throw new InputError([{ input: "decision-trail", problem, missing: true }]);
}

/** Recording returns no ID, so it is read from the newest decisions of this name. */
async function idOf(
  {
    flow,
    trail,
    name,
    record,
  }: {
    readonly flow: string;
    readonly trail: string;
    readonly name: string;
    readonly record: EvaluationRecord;
  },
  { call }: ActionContext,
): Promise<string> {
  const listed = await call(listAttestations, { flow: [flow], trail, name });
  const found = listed?.body.data.find(({ attestationData }) => {
    const { evaluated_at, input_digest } = asObject(asObject(attestationData)["evaluation"]);
    return evaluated_at === record.evaluated_at && input_digest === record.input_digest;
  });
  return found?.attestationId ?? "";
}
