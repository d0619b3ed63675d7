import type { ScanResults } from "../../evidence/scan-results/scan-results.ts";
import type { TestResults } from "../../evidence/test-results/test-results.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Table } from "../../github/step/summary.ts";
import { remarksOnScan, remarksOnTests } from "./annotations.ts";
import type { Remarks } from "./attestation-request.ts";
import type { AttestationValues } from "./inputs.ts";

export interface Verdict {
  readonly compliant: boolean;
  /** One sentence without a full stop; empty when compliant. */
  readonly reason: string;
}

export interface Read {
  readonly table: Table;
  readonly remarks: Remarks;
  /** Added to the attestation's `user-data` if the kind has no fields for these facts. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export async function readTests(values: AttestationValues, context: ActionContext) {
  const { readTestResults, testsData } = await import("../../evidence/test-results/read-test-results.ts");
  const results = await readTestResults({ patterns: values.testResults, ...placesOf(values, context) });
  for (const warning of results.warnings) context.warn(warning);
  const facts = { tests: testsData(results) };
  return { results, facts, table: testTable(results), remarks: remarksOnTests(results) };
}

export async function readScan(values: AttestationValues, context: ActionContext) {
  const { readScanResults, scanData } = await import("../../evidence/scan-results/read-scan-results.ts");
  // With kind `snyk`, any finding makes the result non-compliant, and facts have no level, so all are shown.
  const failLevel = values.kind === "snyk" || values.record === "facts" ? "low" : values.failLevel;
  const request = { patterns: values.scanResults, failLevel, ...placesOf(values, context) };
  const results = await readScanResults(request);
  for (const warning of results.warnings) context.warn(warning);
  const facts = { scan: scanData(results) };
  return { results, facts, table: scanTable(results), remarks: remarksOnScan(results) };
}

function placesOf({ allowOutsideWorkspace }: AttestationValues, { runner }: ActionContext) {
  return { workspace: runner.workspace ?? process.cwd(), allowOutsideWorkspace };
}

/** Compliant only if all are. */
export function combined(verdicts: readonly Verdict[]): Verdict {
  return {
    compliant: verdicts.every(({ compliant }) => compliant),
    reason: verdicts
      .map(({ reason }) => reason)
      .filter(Boolean)
      .join("; "),
  };
}

/** Maximum number of suites in the table, which has the totals of all suites in its last row. */
const MAX_SUITES_SHOWN = 4;

/** Shows the suites with the most failures first, and the totals of all suites last. */
export function testTable({
  suites,
  suiteCount,
  counts,
}: Pick<TestResults, "suites" | "suiteCount" | "counts">): Table {
  const failed = (suite: { failures: number; errors: number }) => suite.failures + suite.errors;
  const shown = suites.toSorted((a, b) => failed(b) - failed(a)).slice(0, MAX_SUITES_SHOWN);
  const row = (name: string, result: typeof counts | TestResults["suites"][number]) => [
    name,
    String(result.total - failed(result) - result.skipped),
    String(failed(result)),
    String(result.skipped),
    duration(result.duration),
  ];
  const rows = shown.map((suite) => row(suite.name || "(unnamed)", suite));
  const total = suiteCount > shown.length ? `All ${suiteCount} suites` : "All";
  return {
    columns: ["Tests", "Passed", "Failed", "Skipped", "Time"],
    rows: suites.length > 1 ? [...rows, row(total, counts)] : rows,
  };
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function scanTable({ runs, counts }: ScanResults): Table {
  const severities = ["critical", "high", "medium", "low"] as const;
  const row = (name: string, found: typeof counts, suppressed: number) => [
    name,
    ...severities.map((severity) => String(found[severity])),
    String(suppressed),
  ];
  return {
    columns: ["Scan", "Critical", "High", "Medium", "Low", "Accepted"],
    rows: runs.map((run) => row(`${run.tool.name} ${run.tool.version}`.trim(), run.counts, run.suppressed)),
  };
}
