import { createHash } from "node:crypto";
import { InputError } from "../../../api/client/errors.ts";
import { attestSystem } from "../../../api/resources/attestation-kinds.ts";
import { attestGeneric } from "../../../api/resources/generic-attestation.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import type { Recorder, Submission } from "../attestation-request.ts";
import { prepareSubmission } from "../submission.ts";

/** Records an SBOM with its file. Its contents are not evaluated. */
export const recordSbom: Recorder = async (attestation, context) => {
  const submission = await prepareSubmission(attestation, context);
  const { to, fields, attachments, tables, unread = [] } = submission;
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
  const reply =
    attestation.values.record === "facts"
      ? await sendFacts(submission, context)
      : await context.call(attestGeneric, { ...to, body: { ...fields, isCompliant: true } });
  return { reply, attachments, compliant: true, reason: "", tables };
};

/** The summary and the checksum are about one file. */
async function sendFacts({ to, fields }: Submission, { call }: ActionContext) {
  const [file, ...others] = to.files.attachmentFile;
  if (file === undefined || others.length > 0)
    throw new InputError([{ input: "attachments", problem: "must be one SBOM with record: facts" }]);
  const { describeSbom } = await import("../../../evidence/sbom/describe-sbom.ts");
  const { sbomFacts } = await import("../../../evidence/sbom/sbom.ts");
  const bytes = await file.content.bytes();
  const sbom = await describeSbom(bytes);
  if (sbom === undefined)
    throw new InputError([{ input: "attachments", problem: `'${file.name}' changed while it was read` }]);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const { format, document } = sbomFacts(sbom);
  return call(attestSystem, {
    // The bytes that the checksum is about.
    ...{ ...to, files: { attachmentFile: [{ ...file, content: new Blob([bytes]) }] } },
    body: {
      ...fields,
      annotations: { ...fields.annotations, sbom_format: format, sbom_sha256: sha256 },
      typeName: "sbom",
      attestationData: { format, original_fingerprint: sha256, document },
    },
  });
}
