import type { OperationShape, RequestOf } from "../../api/operation.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { FieldInputs } from "../../github/step/field-inputs.ts";
import {
  type AttestationRequest,
  commonFields,
  type Recorded,
  type Submission,
} from "./attestation-request.ts";
import { factsOf } from "./facts.ts";

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

/**
 * Sends a judged kind, or with `record: facts` its facts.
 *
 * @param sources inputs that the fields of the kind were read from
 */
export async function submit<O extends OperationShape>(
  operation: O,
  request: RequestOf<O> & Submission["to"] & { readonly body: Submission["fields"] },
  { values }: AttestationRequest,
  context: ActionContext,
  sources?: FieldInputs,
): Promise<Recorded["reply"]> {
  const facts = factsOf(values);
  if (facts === undefined) return context.call(operation, request, sources && { fields: sources });
  const { sendFacts } = await import("./send-facts.ts");
  return sendFacts(facts, operation, request, context, sources);
}
