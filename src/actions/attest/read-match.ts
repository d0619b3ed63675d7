import { isEvidenceError } from "../../api/client/errors.ts";
import { isOfType } from "../../api/resources/attestation-type.ts";
import {
  matchTemplate,
  type RecordedAttestation,
  type TemplateRecord,
} from "../../api/resources/match-template.ts";
import type { TemplateMatch } from "../../api/resources/template-match.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { namesInTrail, type Trail, templateOfTrail, trailReader } from "../trail-template.ts";
import type { AttestResult } from "./attest-one.ts";
import { typeOf } from "./attestation-request.ts";

/** Compares a record with its trail's template, for services that do not report the match. */
export function matchReader(
  context: ActionContext,
): (result: AttestResult) => Promise<TemplateMatch | undefined> {
  const readTrail = trailReader(context);
  const warned = new Set<string>();
  return async (result) => {
    try {
      const trail = await readTrail(result.done);
      const template = trail && templateOfTrail(trail);
      const record = trail && recordOf(result, trail);
      return template && record && matchTemplate(template, record);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!isEvidenceError(error)) throw error;
      const { trail } = result.done;
      if (!warned.has(trail))
        context.info(`Recorded, but the template of trail '${trail}' could not be checked: ${error.message}`);
      warned.add(trail);
      return undefined;
    }
  };
}

/** Undefined if the trail does not show which artifact of the template the record is about. */
function recordOf({ values, done }: AttestResult, trail: Trail): TemplateRecord | undefined {
  if (values.kind === "artifact") return { artifact: done.name };
  const { attestationName: attestation, targets } = values;
  const type = typeOf(values);
  if (done.fingerprint === undefined) {
    const elsewhere = targets.filter((target) => isStillMissing(trail, target, { attestation, type }));
    return { attestation, type, artifacts: targets, elsewhere };
  }
  const artifacts = namesInTrail(trail, done.fingerprint);
  return artifacts.length > 0 ? { attestation, type, artifacts } : undefined;
}

/** Whether a recorded attestation is still missing because the artifact is at another commit. */
function isStillMissing(
  { complianceStatus }: Trail,
  artifact: string,
  { attestation, type }: Pick<RecordedAttestation, "attestation" | "type">,
): boolean {
  const reported = complianceStatus.artifactsStatuses?.[artifact];
  if (!reported?.artifactFingerprint) return false;
  return (reported.attestationsStatuses ?? []).some(
    ({ attestationName, attestationType, status }) =>
      status === "MISSING" &&
      attestationName === attestation &&
      (type === undefined || isOfType(type, attestationType ?? "*")),
  );
}
