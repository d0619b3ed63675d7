import { InputError } from "../../../api/client/errors.ts";
import { attestGeneric } from "../../../api/resources/generic-attestation.ts";
import type { Recorder } from "../attestation-request.ts";
import { prepareSubmission } from "../submission.ts";

/** Records an SBOM with its file. Its contents are not evaluated. */
export const recordSbom: Recorder = async (attestation, context) => {
  const { to, fields, attachments, tables, unread = [] } = await prepareSubmission(attestation, context);
  // Each readable SBOM has a table.
  if (tables.length === 0)
    throw new InputError([
      {
        input: "attachments",
        problem:
          unread.length > 0
            ? unread.join("; ")
            : `contain no SBOM in CycloneDX or SPDX: ${attachments.map((name) => `'${name}'`).join(", ")}`,
      },
    ]);
  const reply = await context.call(attestGeneric, { ...to, body: { ...fields, isCompliant: true } });
  return { reply, attachments, compliant: true, reason: "", tables };
};
