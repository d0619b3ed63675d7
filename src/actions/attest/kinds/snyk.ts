import { attestSnyk } from "../../../api/resources/attestation-kinds.ts";
import type { ScanResults } from "../../../evidence/scan-results/scan-results.ts";
import { snykResults as asSnykResults } from "../../../evidence/scan-results/snyk-fields.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import type { Recorder } from "../attestation-request.ts";
import { dataOf } from "../data.ts";
import type { AttestationInputs } from "../inputs.ts";
import { readScan } from "../results.ts";
import { prepareSubmission, submit } from "../submission.ts";

/** Records the findings of a vulnerability scan, read from SARIF or from `data`. */
export const recordSnyk: Recorder = async (attestation, context) => {
  const { data } = attestation.values;
  const { snykResults, read } =
    data === undefined
      ? await readFindings(attestation.values, context)
      : { ...(await dataOf(data, attestSnyk, "snyk_results", context)), read: undefined };
  const { to, fields, attachments, tables } = await prepareSubmission(
    attestation,
    context,
    read?.results.reports,
  );
  const inputs = { snyk_results: { within: read ? "scan-results" : "data" } };
  const request = { ...to, body: { ...fields, snykResults } };
  const reply = await submit(attestSnyk, request, attestation, context, inputs);
  const reason = read ? whyNotRead(read.results) : whyNotGiven(snykResults.results);
  return {
    reply,
    attachments,
    compliant: reason === "",
    reason,
    tables: [...(read ? [read.table] : []), ...tables],
    remarks: read ? [read.remarks] : [],
  };
};

async function readFindings(values: AttestationInputs, context: ActionContext) {
  const read = await readScan(values, context);
  return { snykResults: asSnykResults(read.results), read };
}

function whyNotRead({ runs, counts: { critical, high, medium, low } }: ScanResults): string {
  const faults = new Set(runs.map(({ fault }) => fault));
  return [...faults, textOf({ high: critical + high, medium, low })].filter(Boolean).join("; ");
}

type Level = "high" | "medium" | "low";

function whyNotGiven(projects: readonly Record<`${Level}Count`, number>[]): string {
  const sum = (level: Level) => projects.reduce((total, project) => total + project[`${level}Count`], 0);
  return textOf({ high: sum("high"), medium: sum("medium"), low: sum("low") });
}

/** The service counts any finding as non-compliant. */
function textOf(counts: Record<Level, number>): string {
  const found = Object.entries(counts).flatMap(([level, count]) => (count > 0 ? `${count} ${level}` : []));
  return found.length === 0 ? "" : `found ${found.join(", ")}`;
}
