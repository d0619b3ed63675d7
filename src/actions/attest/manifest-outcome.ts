import type { ActionContext } from "../../github/step/action.ts";
import { spoolOutputs } from "../spool-folder.ts";
import { annotate } from "./annotations.ts";
import type { Attested } from "./attest-one.ts";
import { checklistFor } from "./checklist.ts";
import type { AttestationInputs } from "./inputs.ts";
import { nonCompliance } from "./non-compliance.ts";
import type { AttestResult } from "./outputs.ts";
import { namesText, verdictText } from "./summary.ts";
import { type Expectation, expectedText } from "./template-check.ts";

/** From worst to best. Several results have the worst of their statuses. */
const STATUSES = ["failed", "dry-run", "skipped", "spooled", "recorded"] as const;
type Status = (typeof STATUSES)[number];

type Expectations = ReadonlyMap<Attested, Expectation>;

/** One row per entry, and a failure if any of them failed. */
export function manifestOutcome(
  results: readonly EntryResult[],
  { expectations, failOnNonCompliant }: { expectations: Expectations; failOnNonCompliant: boolean },
  context: ActionContext,
): AttestResult {
  const done = results.flatMap((result) => ("done" in result ? result.done : []));
  const failed = results.flatMap((result) => ("error" in result ? result : []));
  for (const { values, error } of failed) context.info(`'${values.name}' was not recorded: ${error}`);
  const status = STATUSES.find((each) => results.some((result) => statusOf(result) === each)) ?? "failed";
  const remarks = done.flatMap((one) => one.remarks);
  const failure = failureOf(results, failOnNonCompliant ? nonCompliance(done, context) : undefined);
  // The step's failure is an annotation too.
  annotate(remarks, context, failure ? 1 : 0);
  const compliant = verdictOfAll(results);
  const url = same(done, ({ trailUrl }) => trailUrl);
  return {
    outputs: {
      status,
      compliant,
      expected: expectedOfAll(results, expectations),
      fingerprint: same(done, ({ fingerprint }) => fingerprint ?? ""),
      trail: same(done, ({ trail }) => trail),
      "trail-url": url,
      "request-id": "",
      receipt: "",
      results: JSON.stringify(results.map((result) => outputOf(result, expectations))),
      ...spoolOutputs(
        done.some((one) => one.status === "spooled"),
        context.runner,
      ),
    },
    summary: {
      heading: headingOf(results, status),
      mark: compliant === "false" ? "failed" : status === "recorded" ? "passed" : "neutral",
      columns: ["Attestation", "Kind", "Status", "Compliant", "Remarks"],
      // The most urgent first.
      rows: results.toSorted((a, b) => urgency(b) - urgency(a)).map((result) => rowOf(result, expectations)),
      link: url === "" ? undefined : { text: "Open the trail", url },
    },
    laterTables: url === "" ? undefined : checklistFor(done, context),
    ...(failure && { failure }),
  };
}

/** Failures come before recorded results that are not compliant. */
function failureOf(
  results: readonly EntryResult[],
  nonCompliant: AttestResult["failure"],
): AttestResult["failure"] {
  const failed = results.flatMap((result) => ("error" in result ? result : []));
  if (failed.length === 0) return nonCompliant;
  const lines = failed.map(({ values, error }) => `- ${values.name}: ${error}`);
  return {
    code: "attestation.not_recorded",
    title: `${failed.length} of ${results.length} attestations failed`,
    text: [...lines, ...(nonCompliant ? [nonCompliant.text] : [])].join("\n"),
  };
}

/** `false` if a template does not expect one of them, `true` only if all are known to be expected. */
function expectedOfAll(results: readonly EntryResult[], expectations: Expectations): string {
  const each = results.map((result) =>
    "done" in result ? expectations.get(result.done)?.expected : undefined,
  );
  if (each.includes(false)) return "false";
  return each.includes(undefined) ? "" : "true";
}

function same(done: readonly Attested[], of: (one: Attested) => string): string {
  const [only, ...others] = new Set(done.map(of));
  return others.length === 0 ? (only ?? "") : "";
}

function statusOf(result: EntryResult): Status {
  return "done" in result ? result.done.status : "failed";
}

/** `true` only if all are known to be compliant; artifacts do not count. */
function verdictOfAll(results: readonly EntryResult[]): string {
  const attestations = results.filter((result) => "error" in result || result.values.kind !== "artifact");
  if (attestations.some((result) => "error" in result || result.done.compliant === false)) return "false";
  const unknown = attestations.some((result) => complianceOf(result) === "");
  return unknown || attestations.length === 0 ? "" : "true";
}

function complianceOf(result: EntryResult): string {
  return "done" in result && result.done.compliant !== undefined ? String(result.done.compliant) : "";
}

function outputOf(result: EntryResult, expectations: Expectations) {
  const { name, kind } = result.values;
  const done = "done" in result ? result.done : undefined;
  return {
    name,
    kind,
    status: statusOf(result),
    compliant: complianceOf(result),
    expected: done ? expectedText(expectations.get(done)) : "",
    fingerprint: done?.fingerprint ?? "",
    trail: done?.trail ?? "",
    "request-id": done?.requestId ?? "",
    error: "error" in result ? result.error : "",
  };
}

function urgency(result: EntryResult): number {
  if ("error" in result) return 2;
  return result.done.compliant === false ? 1 : 0;
}

/** `8 attestations: recorded, 3 not compliant` */
function headingOf(results: readonly EntryResult[], status: Status): string {
  const failed = results.filter((result) => "error" in result).length;
  const bad = results.filter((result) => "done" in result && result.done.compliant === false).length;
  const what = failed === 0 ? status : `${failed} failed`;
  const count = `${results.length} ${results.length === 1 ? "attestation" : "attestations"}`;
  return `${count}: ${what}${bad === 0 ? "" : `, ${bad} not compliant`}`;
}

function rowOf(result: EntryResult, expectations: Expectations): string[] {
  const { name, kind } = result.values;
  if ("error" in result) return [name, kind, "failed", "", result.error];
  const { compliant, reason, attachments, status } = result.done;
  const advice = expectations.get(result.done)?.advice;
  const remarks = [reason, advice, namesText(attachments)].filter(Boolean).join("\n");
  return [name, kind, status, verdictText({ compliant, reason: "" }), remarks];
}

export type EntryResult = { readonly values: AttestationInputs } & (
  | { readonly done: Attested }
  | { readonly error: string }
);
