import type { ActionContext } from "../../github/action.ts";
import type { AttestResult } from "../attest.ts";
import type { Attested } from "./attest-one.ts";
import type { EntryResult } from "./manifest.ts";

/** From the least to the most: what several came to is what holds for all of them. */
const STATUSES = ["failed", "dry-run", "skipped", "recorded"] as const;
type Status = (typeof STATUSES)[number];

/** The step's outcome: one line for each entry, and a failure when any of them failed. */
export function manifestOutcome(results: readonly EntryResult[], context: ActionContext): AttestResult {
  const done = results.flatMap((result) => ("done" in result ? result.done : []));
  const failed = results.flatMap((result) => ("error" in result ? result : []));
  for (const { values, error } of failed) context.info(`'${values.name ?? ""}' was not recorded: ${error}`);
  const status = STATUSES.find((each) => results.some((result) => statusOf(result) === each)) ?? "failed";
  const verdicts = done.flatMap(({ compliant }) => compliant ?? []);
  const compliant = failed.length === 0 && verdicts.every(Boolean);
  const url = same(done, ({ trailUrl }) => trailUrl);
  const noted = `${done.length} of ${results.length} attestations`;
  return {
    outputs: {
      status,
      compliant: String(compliant),
      fingerprint: same(done, ({ fingerprint }) => fingerprint ?? ""),
      trail: same(done, ({ trail }) => trail),
      "trail-url": url,
      "request-id": "",
      results: JSON.stringify(results.map(outputOf)),
    },
    summary: {
      heading: failed.length > 0 ? `${noted}: ${failed.length} failed` : `${noted}: ${status}`,
      mark: failed.length > 0 || !compliant ? "failed" : status === "recorded" ? "passed" : "neutral",
      columns: ["Attestation", "Kind", "Status", "Compliant", "Remarks"],
      rows: results.map(rowOf),
      link: url === "" ? undefined : { text: "Open the trail", url },
    },
    ...(failed.length > 0 && {
      failure: {
        title: `${failed.length} of ${results.length} attestations failed`,
        text: failed.map(({ values, error }) => `- ${values.name ?? ""}: ${error}`).join("\n"),
      },
    }),
  };
}

/** What all have in common; empty when they differ. */
function same(done: readonly Attested[], of: (one: Attested) => string): string {
  const [only, ...others] = new Set(done.map(of));
  return others.length === 0 ? (only ?? "") : "";
}

function statusOf(result: EntryResult): Status {
  return "done" in result ? result.done.status : "failed";
}

function verdictOf(result: EntryResult): string {
  return "done" in result && result.done.compliant !== undefined ? String(result.done.compliant) : "";
}

function outputOf(result: EntryResult) {
  const { name = "", kind } = result.values;
  const done = "done" in result ? result.done : undefined;
  return {
    name,
    kind,
    status: statusOf(result),
    compliant: verdictOf(result),
    fingerprint: done?.fingerprint ?? "",
    trail: done?.trail ?? "",
    "request-id": done?.requestId ?? "",
    error: "error" in result ? result.error : "",
  };
}

function rowOf(result: EntryResult): string[] {
  const { name = "", kind } = result.values;
  const remarks = "done" in result ? [result.done.reason, ...result.done.attachments] : [result.error];
  return [name, kind, statusOf(result), verdictOf(result), remarks.filter(Boolean).join(", ")];
}
