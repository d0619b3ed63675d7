import { InputError } from "../../../api/client/errors.ts";
import { attestSystem } from "../../../api/resources/attestation-kinds.ts";
import type { Recorder } from "../attestation-request.ts";
import { readData } from "../data.ts";
import { prepareSubmission } from "../submission.ts";

const RESULT = "is_compliant";

/** Records a decision about a control, with any data that explains it. */
export const recordDecision: Recorder<{ control: string; compliant: boolean }> = async (
  attestation,
  context,
) => {
  const { control, compliant, data: given } = attestation.values;
  const data = given === undefined ? {} : await readData(given, context);
  if (Array.isArray(data) || Object.hasOwn(data, RESULT)) {
    const problem = `must be an object without '${RESULT}', which \`compliant\` sets`;
    throw new InputError([{ input: "data", problem }]);
  }
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const attestationData = { [RESULT]: compliant, ...data };
  const reply = await context.call(attestSystem, {
    ...to,
    body: { ...fields, typeName: "decision", control, attestationData },
  });
  const reason = compliant ? "" : `control ${control} did not pass`;
  return { reply, attachments, compliant, reason, tables };
};
