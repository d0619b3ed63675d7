import { overrideSubmission } from "../../../api/resources/attestation-kinds.ts";
import { isOfType } from "../../../api/resources/attestation-type.ts";
import { toWire } from "../../../api/wire-names.ts";
import type { AttestationFact } from "../../judging/compliance/evaluate.ts";
import { attestationToOverride, slotToOverride } from "../../judging/compliance/override.ts";
import { Forbidden, invalidInput, NotFound } from "../../kernel/errors.ts";
import { fieldsIn } from "../../kernel/json-column.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import type { TrailRecords } from "../compliance/trail-records.ts";
import { DECISION_TYPE } from "../controls/decisions.ts";
import { record, requireBinding } from "./attest.ts";

/** Records an override: another attestation of the same name and type. A missing required one can be overridden, too. */
export const overrideAttestation: Handler<"overrideAttestation"> = async (call, context) => {
  const { body } = call;
  requireBinding(body);
  const withoutFiles = { ...call, files: { attachmentFile: [] } };
  const resolve = (trail: TrailRecords) => {
    const { type, overridden } = findOverridden(trail, call);
    // A decision counts in every flow of its artifact, not only in this one.
    if (type === DECISION_TYPE && call.caller.scope !== null) throw new Forbidden();
    return {
      type,
      isCompliant: body.newComplianceStatus,
      override: {
        overriddenId: overridden?.id ?? null,
        wasCompliant: overridden?.compliant ?? null,
        reason: body.reason,
      },
      shown: { ...shown(body), overridden_attestation_id: overridden?.id ?? null },
    };
  };
  const { headers } = await record(withoutFiles, context, { mayBegin: false, resolve });
  return { status: 200, headers, body: "OK" };
};

interface Overridden {
  type: string;
  /** Absent if the required attestation is missing. */
  overridden?: AttestationFact;
}

/** @throws NotFound if there is nothing to override, Invalid for another type */
function findOverridden(
  { template, attestations, artifacts }: TrailRecords,
  { params, body }: Call<"overrideAttestation">,
): Overridden {
  const { attestationName: name, originalAttestationType: type } = body;
  const subject = {
    name,
    fingerprint: body.artifactFingerprint ?? null,
    targets: body.targetArtifacts ?? [],
    commitSha: body.gitCommitInfo?.sha1 ?? null,
  };
  const latest = attestationToOverride({ attestations, artifacts }, subject);
  if (latest && isOfType(latest.type, type)) return { type: latest.type, overridden: latest };

  const slot = slotToOverride({ template, artifacts }, subject);
  const ofSlot = slot && attestations.filter((each) => isOfType(each.type, slot.type));
  const isMissing = ofSlot && !attestationToOverride({ attestations: ofSlot, artifacts }, subject);
  if (slot && isMissing && isOfType(type, slot.type)) return { type };
  if (latest) throw otherType(`The latest attestation named '${name}' is of type '${latest.type}'`, type);
  if (slot) throw otherType(`The template requires '${name}' of type '${slot.type}'`, type);
  throw new NotFound(
    "attestation.not_found",
    `Attestation named '${name}' does not exist in trail '${params.trailName}' of flow '${params.flowName}'`,
  );
}

function otherType(problem: string, given: string) {
  return invalidInput(
    { original_attestation_type: `${problem} [input: ${given}]` },
    { code: "attestation.type_mismatch" },
  );
}

function shown({
  reason,
  newComplianceStatus,
  originalAttestationType,
}: Call<"overrideAttestation">["body"]) {
  return fieldsIn(toWire(overrideSubmission, { reason, newComplianceStatus, originalAttestationType }));
}
