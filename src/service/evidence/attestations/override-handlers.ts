import { type overrideAttestation, overrideSubmission } from "../../../api/resources/attestation-kinds.ts";
import { isOfType } from "../../../api/resources/attestation-type.ts";
import { toWire } from "../../../api/wire-names.ts";
import { requireBinding } from "../../attestations/binding.ts";
import { recordAct } from "../../audit-log/record-act.ts";
import { changesBetween } from "../../events/changes.ts";
import type { AttestationFact } from "../../judging/compliance/evaluate.ts";
import { attestationToOverride, slotToOverride } from "../../judging/compliance/override.ts";
import { Forbidden, invalidInput, NotFound } from "../../kernel/errors.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import type { TrailRecords } from "../compliance/trail-records.ts";
import { DECISION_TYPE } from "../controls/decisions.ts";
import { type Recording, record } from "./attest.ts";

/**
 * An override is one more attestation of a name and type. It says which one it overrides, if any: what the template
 * asks for can be overridden before it is attested.
 */
export const handleOverrideAttestation: Handler<typeof overrideAttestation> = async (call, context) => {
  const { body } = call;
  requireBinding(body);
  const withoutFiles = { ...call, files: { attachmentFile: [] } };
  const resolve = (trail: TrailRecords) => {
    const { type, overridden } = findOverridden(trail, call);
    // As a decision itself it counts in every flow of its artifact, not in this one alone.
    if (type === DECISION_TYPE && call.caller.scope !== null) throw new Forbidden();
    return {
      type,
      isCompliant: body.newComplianceStatus,
      isOverride: true as const,
      ...(overridden && { overriddenId: overridden.id }),
      shown: { ...said(body), overridden_attestation_id: overridden?.id ?? null },
    };
  };
  const afterwards: Recording["afterwards"] = async (db, { flow, trail }, requestContext) => {
    const { type, overridden } = findOverridden(trail, call);
    await recordAct(db, requestContext, {
      act: "attestation.overridden",
      resource: { name: body.attestationName, id: overridden?.id ?? null },
      details: {
        flow: flow.name,
        trail: call.params.trailName,
        artifact_fingerprint: body.artifactFingerprint ?? null,
        attestation_type: type,
        reason: body.reason,
      },
      changes: changesBetween(
        { is_compliant: overridden?.compliant },
        { is_compliant: body.newComplianceStatus },
      ),
    });
  };
  const { headers } = await record(withoutFiles, context, {
    mayBegin: false,
    resolve,
    isForOthers: true,
    afterwards,
  });
  return { status: 200, headers, body: "OK" };
};

interface Overridden {
  type: string;
  /** Absent for what the template asks for and nobody attested. */
  overridden?: AttestationFact;
}

/** @throws NotFound when there is nothing to override, Invalid when it is of another type */
function findOverridden(
  { template, attestations, artifacts }: TrailRecords,
  { params, body }: Call<typeof overrideAttestation>,
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
  if (slot) throw otherType(`The template asks for '${name}' of type '${slot.type}'`, type);
  throw new NotFound(
    `Attestation named '${name}' does not exist in trail '${params.trailName}' of flow '${params.flowName}'`,
  );
}

function otherType(problem: string, given: string) {
  return invalidInput({ original_attestation_type: `${problem} [input: ${given}]` });
}

function said({
  reason,
  newComplianceStatus,
  originalAttestationType,
}: Call<typeof overrideAttestation>["body"]) {
  const wire = toWire(overrideSubmission, { reason, newComplianceStatus, originalAttestationType });
  return typeof wire === "object" && wire !== null ? wire : {};
}
