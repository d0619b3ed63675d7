import { attestSonar } from "../../../api/attestation-kinds.ts";
import type { ActionContext } from "../../../github/action.ts";
import type { Recorded, RequestWith } from "../attestation-request.ts";
import { dataOf } from "../data.ts";
import { prepareSubmission } from "../submission.ts";

/** Records a Sonar analysis, as its webhook tells of it. */
export async function recordSonar(
  attestation: RequestWith<{ readonly data: string }>,
  context: ActionContext,
): Promise<Recorded> {
  const { sonarResults } = await dataOf(attestation.values.data, attestSonar, "sonar_results", context);
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
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
