import type { ActionContext } from "../../github/step/action.ts";
import { type AttestationRequest, commonFields, type Submission } from "./attestation-request.ts";

/** @param reports the files that results were read from: paths as shown, each mapped to its file */
export async function prepareSubmission(
  attestation: AttestationRequest,
  context: ActionContext,
  reports: readonly string[] = [],
): Promise<Submission> {
  const { values, trail } = attestation;
  const files =
    values.attachments.length > 0 || reports.length > 0
      ? await (await import("./collect-files.ts")).collectFiles(values, reports, context)
      : [];
  const submission = {
    to: { flowName: values.flow, trailName: trail, files: { attachmentFile: files } },
    attachments: files.map(({ name }) => name),
  };
  const fields = commonFields(attestation);
  if (files.length === 0) return { ...submission, fields, tables: [] };
  const { describeSboms } = await import("./sboms.ts");
  return { ...submission, ...(await describeSboms(files, fields, context)) };
}
