import { attestCustom } from "../../../api/attestation-kinds.ts";
import type { ActionContext } from "../../../github/action.ts";
import type { Claim, Recorded } from "../claim.ts";
import { readData } from "../data.ts";
import { pack } from "../parcel.ts";

/** Records data of a type that the organization defined. Its rules are the service's to judge by. */
export async function recordCustom(claim: Claim, context: ActionContext): Promise<Recorded> {
  const attestationData = await readData(claim, context);
  const { to, fields, attachments, tables } = await pack(claim, context);
  const reply = await context.call(attestCustom, {
    ...to,
    body: { ...fields, typeName: claim.values.typeName ?? "", attestationData },
  });
  return { reply, attachments, compliant: undefined, reason: "", tables };
}
