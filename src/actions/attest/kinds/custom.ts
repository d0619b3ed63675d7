import { attestCustom } from "../../../api/resources/attestation-kinds.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import type { Recorded, RequestWith } from "../attestation-request.ts";
import { readData } from "../data.ts";
import { prepareSubmission } from "../submission.ts";

/** Records data of a custom type. The service evaluates its rules. */
export async function recordCustom(
  attestation: RequestWith<{ readonly data: string; readonly typeName: string }>,
  context: ActionContext,
): Promise<Recorded> {
  const { data, typeName } = attestation.values;
  const attestationData = await readData(data, context);
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const reply = await context.call(attestCustom, {
    ...to,
    body: { ...fields, typeName, attestationData },
  });
  return { reply, attachments, compliant: undefined, reason: "", tables };
}
