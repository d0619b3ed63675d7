import { attestSonar } from "../../../api/attestation-kinds.ts";
import type { ActionContext } from "../../../github/action.ts";
import type { ClaimWith, Recorded } from "../claim.ts";
import { dataOf } from "../data.ts";
import { pack } from "../parcel.ts";

/** Records a Sonar analysis, as its webhook tells of it. */
export async function recordSonar(
  claim: ClaimWith<{ readonly data: string }>,
  context: ActionContext,
): Promise<Recorded> {
  const { sonarResults } = await dataOf(claim.values.data, attestSonar, "sonar_results", context);
  const { to, fields, attachments, tables } = await pack(claim, context);
  const reply = await context.call(attestSonar, {
    ...to,
    body: { ...fields, sonarResults },
  });
  const status = sonarResults.qualityGate?.status;
  return {
    reply,
    attachments,
    compliant: status === "OK",
    reason: status === "OK" ? "" : `the quality gate is ${status ?? "not part of the analysis"}`,
    tables,
  };
}
