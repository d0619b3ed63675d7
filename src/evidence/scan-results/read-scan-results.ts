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
 * Files are kept in memory, since the rules that give severities may follow the results: 64 MB take half a gigabyte.
 * GitHub accepts no SARIF of more than 10 MB compressed.
 */
export const MAX_SCAN_RESULTS_BYTES = 64 * 1024 * 1024;
/** Each is an object in one request, whose size is limited. */
export const MAX_FINDINGS = 500;

export interface ScanResultsRequest extends Omit<FileRequest, "input" | "ifNoFilesFound"> {
  readonly failLevel: FailLevel;
}

/** A run whose findings have no location yet. */
interface CountedRun extends Omit<ScanRun, "findings"> {
  readonly findings: readonly ReportedFinding[];
}

/**
 * Reads SARIF 2.1.0 of any tool, and the JSON of some tools.
 *
 * @throws InputError (`scan-results`) for a pattern without a match, an unsupported file, or one without a run
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

/** Keeps the most severe findings of all runs, and finds their locations. */
async function withLocations(counted: readonly CountedRun[], workspace: Workspace): Promise<ScanRun[]> {
  const selected = new Set(mostSevere(counted.flatMap(({ findings }) => findings)).slice(0, MAX_FINDINGS));
  const runs: ScanRun[] = [];
  for (const run of counted) {
    const findings: ScanFinding[] = [];
    for (const finding of mostSevere(run.findings)) {
      if (selected.has(finding)) findings.push(await located(finding, run.report, workspace));
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

function verdict(runs: readonly ScanRun[], counts: SeverityCounts, failLevel: FailLevel) {
  const reasons = runs.map(({ fault }) => fault).filter((fault) => fault !== "");
  const severe = SEVERITIES.filter((severity) => failsAt(severity, failLevel) && counts[severity] > 0);
  if (severe.length > 0) {
    const found = severe.map((severity) => `${counts[severity]} ${severity}`).join(", ");
    reasons.push(`found ${found}; ${failLevel} or worse fails`);
  }
  return { compliant: reasons.length === 0, reason: [...new Set(reasons)].join("; ") };
}

const MAX_LISTED = 10;
const MAX_CHARACTERS = 300;

/** For `user_data`, in the interface's names. */
export function scanData({ runs, counts, suppressed }: ScanResults): Record<string, unknown> {
  const tools = new Map(runs.map(({ tool }) => [`${tool.name}\n${tool.version}`, tool]));
  const faults = new Set(runs.map(({ fault }) => fault).filter(Boolean));
  return {
    tools: [...tools.values()]
      .slice(0, MAX_LISTED)
      .map(({ name, version }) => ({ name: shortened(name), version: shortened(version) })),
    findings: counts,
    accepted: suppressed,
    ...(faults.size > 0 && { not_completed: [...faults].slice(0, MAX_LISTED).map(shortened) }),
  };
}

function shortened(text: string): string {
  return text.slice(0, MAX_CHARACTERS);
}
