import { attestGeneric } from "../../../api/resources/generic-attestation.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import type { AttestationRequest, Recorder } from "../attestation-request.ts";
import type { Read, Verdict } from "../results.ts";
import { prepareSubmission, submit } from "../submission.ts";
import { withFacts } from "../user-data.ts";

/** Records an attestation of any content. Test and scan results can only turn it non-compliant. */
export const recordGeneric: Recorder = async (attestation, context) => {
  const { compliant, reason, reports, read } = await evaluate(attestation, context);
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context, reports);
  const body = { ...read.reduce((all, { facts }) => withFacts(all, facts), fields), isCompliant: compliant };
  const reply = await submit(attestGeneric, { ...to, body }, attestation, context);
  return {
    reply,
    attachments,
    compliant,
    reason,
    tables: [...read.map(({ table }) => table), ...tables],
    remarks: read.map(({ remarks }) => remarks),
  };
};

interface Evaluation extends Verdict {
  readonly read: readonly Read[];
  /** Result files. */
  readonly reports: readonly string[];
}

async function evaluate({ values }: AttestationRequest, context: ActionContext): Promise<Evaluation> {
  if (values.testResults.length === 0 && values.scanResults.length === 0)
    return { compliant: values.compliant === true, reason: "", read: [], reports: [] };
  const { combined, readScan, readTests } = await import("../results.ts");
  const read = [
    ...(values.testResults.length > 0 ? [await readTests(values, context)] : []),
    ...(values.scanResults.length > 0 ? [await readScan(values, context)] : []),
  ];
  const given = values.compliant === false ? [{ compliant: false, reason: "" }] : [];
  return {
    ...combined([...given, ...read.map(({ results }) => results)]),
    read,
    reports: read.flatMap(({ results }) => results.reports),
  };
}
