import { InputError } from "../../../api/client/errors.ts";
import { overrideAttestation } from "../../../api/resources/attestation-kinds.ts";
import { commonFields, type Recorder } from "../attestation-request.ts";
import { fieldsOfData } from "../data.ts";

const FIELDS = ["reason", "original_attestation_type", "new_compliance_status"];

/** Overrides the latest attestation of a name, with the reason. */
export const recordOverride: Recorder<{ data: string }> = async (attestation, context) => {
  const { values, trail } = attestation;
  const data = await fieldsOfData(values.data, overrideAttestation, FIELDS, context);
  const { reason = "", originalAttestationType = "", newComplianceStatus = values.compliant } = data;
  const problems = [];
  if (newComplianceStatus === undefined)
    problems.push({ input: "compliant", problem: "is required, unless `data` has new_compliance_status" });
  else if (values.compliant !== undefined && values.compliant !== newComplianceStatus)
    problems.push({ input: "compliant", problem: "differs from new_compliance_status in `data`: set one" });
  if (newComplianceStatus === undefined || problems.length > 0) throw new InputError(problems);
  const reply = await context.call(overrideAttestation, {
    flowName: values.flow,
    trailName: trail,
    body: { ...commonFields(attestation), reason, originalAttestationType, newComplianceStatus },
  });
  return {
    reply,
    attachments: [],
    compliant: newComplianceStatus,
    reason: newComplianceStatus ? "" : reason,
    tables: newComplianceStatus ? [{ columns: ["Reason"], rows: [[reason]] }] : [],
  };
};
