import { readFile } from "node:fs/promises";
import type { FileRequest } from "../file-selection.ts";
import { readingReport } from "../report-fault.ts";
import { selectReports } from "../report-files.ts";
import { findInWorkspace, type SourceLocation } from "../source-location.ts";
import { decodeText } from "../text-encoding.ts";
import type { Workspace } from "../workspace.ts";
import type { ReportedFinding } from "./reported-finding.ts";
import { parseScan } from "./scan-document.ts";
import type { FindingPlace, ScanFinding, ScanResults, ScanRun } from "./scan-results.ts";
import {
  countSeverities,
  type FailLevel,
  failsAt,
  SEVERITIES,
  type SeverityCounts,
  sumOf,
} from "./severity.ts";

const INPUT = "scan-results";
/**
 * A file is held whole, because the rules that say how severe its results are may follow them: 64 MB take half a
 * gigabyte. GitHub itself takes no SARIF of more than 10 MB compressed.
 */
export const MAX_SCAN_RESULTS_BYTES = 64 * 1024 * 1024;
/** Each is an object in one request, which has a limit of its own. */
export const MAX_FINDINGS = 500;

export interface ScanResultsRequest extends Omit<FileRequest, "input" | "ifNoFilesFound"> {
  readonly failLevel: FailLevel;
}

/** A run whose findings still have to be found in the repository. */
interface CountedRun extends Omit<ScanRun, "findings"> {
  readonly findings: readonly ReportedFinding[];
}

/**
 * Reads SARIF 2.1.0 files of any tool, and the JSON of some, and counts what they found.
 *
 * @throws InputError (`scan-results`) when a pattern finds nothing, or a file is none of these, or has no run.
 */
export async function readScanResults({ failLevel, ...request }: ScanResultsRequest): Promise<ScanResults> {
  const { files, workspace, warnings } = await selectReports({
    ...request,
    input: INPUT,
    maxBytes: MAX_SCAN_RESULTS_BYTES,
  });
  const counted: CountedRun[] = [];
  for (const { realPath, shown } of files) {
    const runs = await readingReport(
      INPUT,
      shown,
      async () => await parseScan(decodeText(await readFile(realPath))),
    );
    for (const run of runs) {
      counted.push({ ...run, report: shown, counts: countSeverities(run.findings) });
    }
  }
  const runs = await withLocations(counted, workspace);
  const counts = sumOf(runs.map((run) => run.counts));
  const findings = mostSevere(runs.flatMap((run) => run.findings));
  return {
    runs,
    counts,
    suppressed: runs.reduce((sum, run) => sum + run.suppressed, 0),
    findings,
    furtherFindings: SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0) - findings.length,
    reports: files.map(({ shown }) => shown),
    failLevel,
    ...verdict(runs, counts, failLevel),
    warnings,
  };
}

/** Keeps the most severe findings of all runs, each in its run, and looks up where they are. */
async function withLocations(counted: readonly CountedRun[], workspace: Workspace): Promise<ScanRun[]> {
  const kept = new Set(mostSevere(counted.flatMap(({ findings }) => findings)).slice(0, MAX_FINDINGS));
  const runs: ScanRun[] = [];
  for (const run of counted) {
    const findings: ScanFinding[] = [];
    for (const finding of mostSevere(run.findings)) {
      if (kept.has(finding)) findings.push(await located(finding, run.report, workspace));
    }
    runs.push({ ...run, findings });
  }
  return runs;
}

function mostSevere<Finding extends { severity: ScanFinding["severity"] }>(
  findings: readonly Finding[],
): Finding[] {
  return SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
}

async function located(
  { places, ...finding }: ReportedFinding,
  report: string,
  workspace: Workspace,
): Promise<ScanFinding> {
  const found: { place: FindingPlace; location: SourceLocation | undefined }[] = [];
  for (const { uri, lines, written } of places) {
    const location = await findInWorkspace(written, workspace, report);
    found.push({ place: { uri: location?.file ?? uri, lines }, location });
  }
  const location = found.find((each) => each.location !== undefined)?.location;
  return { ...finding, places: found.map(({ place }) => place), ...(location && { location }) };
}

function verdict(
  runs: readonly ScanRun[],
  counts: SeverityCounts,
  failLevel: FailLevel,
): Pick<ScanResults, "compliant" | "reason"> {
  const reasons = runs.map(({ fault }) => fault).filter((fault) => fault !== "");
  const severe = SEVERITIES.filter((severity) => failsAt(severity, failLevel) && counts[severity] > 0);
  if (severe.length > 0) {
    const found = severe.map((severity) => `${counts[severity]} ${severity}`).join(", ");
    reasons.push(`found ${found}, where ${failLevel} or worse fails`);
  }
  return { compliant: reasons.length === 0, reason: [...new Set(reasons)].join("; ") };
}
