import { attestSnyk } from "../../../api/attestation-kinds.ts";
import { InputError } from "../../../api/errors.ts";
import { snykResults as asSnykResults } from "../../../evidence/scan-results/snyk-fields.ts";
import type { ActionContext } from "../../../github/action.ts";
import type { Claim, Recorded } from "../claim.ts";
import { dataOf } from "../data.ts";
import { pack } from "../parcel.ts";
import { readScan } from "../results.ts";

/** Records what a scan for vulnerabilities found: read from SARIF, or given as the interface wants it. */
export async function recordSnyk(claim: Claim, context: ActionContext): Promise<Recorded> {
  const read = claim.values.data === undefined ? await readScan(claim.values, context) : undefined;
  const { snykResults } = read
    ? { snykResults: asSnykResults(requireCarriedOut(read.results)) }
    : await dataOf(claim, attestSnyk, "snyk_results", context);
  const { to, fields, attachments, tables } = await pack(claim, context, read?.results.reports);
  const reply = await context.call(attestSnyk, { ...to, body: { ...fields, snykResults } });
  const reason = whyNot(snykResults.results);
  return {
    reply,
    attachments,
    compliant: reason === "",
    reason,
    tables: [...(read ? [read.table] : []), ...tables],
    remarks: read ? [read.remarks] : [],
  };
}

type Results = Awaited<ReturnType<typeof readScan>>["results"];

/** @throws {InputError} for a scan that did not take place: the service would take its lack of findings for compliance */
function requireCarriedOut(results: Results): Results {
  const faults = new Set(results.runs.map(({ fault }) => fault).filter(Boolean));
  if (faults.size === 0) return results;
  const problems = [...faults].map((problem) => ({ input: "scan-results", problem }));
  throw new InputError(problems, { advice: "Attest a scan that was carried out; this one proves nothing." });
}

/** Why the service calls results not compliant: it takes any finding for one too many. */
function whyNot(results: readonly Record<"highCount" | "mediumCount" | "lowCount", number>[]): string {
  const severities = { highCount: "high", mediumCount: "medium", lowCount: "low" } as const;
  const found = (["highCount", "mediumCount", "lowCount"] as const).flatMap((field) => {
    const count = results.reduce((sum, project) => sum + project[field], 0);
    return count === 0 ? [] : [`${count} ${severities[field]}`];
  });
  return found.length === 0 ? "" : `found ${found.join(", ")}`;
}
