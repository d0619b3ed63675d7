import { attestCustom } from "../../../api/attestation-kinds.ts";
import type { ActionContext } from "../../../github/action.ts";
import type { ClaimWith, Recorded } from "../claim.ts";
import { readData } from "../data.ts";
import { pack } from "../parcel.ts";

/** Records data of a type that the organization defined. Its rules are the service's to judge by. */
export async function recordCustom(
  claim: ClaimWith<{ readonly data: string; readonly typeName: string }>,
  context: ActionContext,
): Promise<Recorded> {
  const { data, typeName } = claim.values;
  const attestationData = await readData(data, context);
  const { to, fields, attachments, tables } = await pack(claim, context);
  const reply = await context.call(attestCustom, {
    ...to,
    body: { ...fields, typeName, attestationData },
  });
  return { reply, attachments, compliant: undefined, reason: "", tables };
}
