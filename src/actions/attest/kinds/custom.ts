import { attestCustom } from "../../../api/resources/attestation-kinds.ts";
import type { Recorder } from "../attestation-request.ts";
import { readData } from "../data.ts";
import { prepareSubmission } from "../submission.ts";

/** Records data of a custom type. The service evaluates its rules. */
export const recordCustom: Recorder<{ data: string; typeName: string }> = async (attestation, context) => {
  const { data, typeName } = attestation.values;
  const attestationData = await readData(data, context);
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const reply = await context.call(attestCustom, {
    ...to,
    body: { ...fields, typeName, attestationData },
  });
  return { reply, attachments, compliant: undefined, reason: "", tables };
};
