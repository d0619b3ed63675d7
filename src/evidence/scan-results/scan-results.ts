import type { ReportVerdict } from "../report-files.ts";
import type { SourceLocation } from "../source-location.ts";
import type { FailLevel, Severity, SeverityCounts } from "./severity.ts";

export interface ScanTool {
  readonly name: string;
  /** May be empty. */
  readonly version: string;
}

export interface FindingPlace {
  /** A path in the repository if the file is there, else the tool's address. */
  readonly uri: string;
  /** `12` or `12-15`; may be empty. */
  readonly lines: string;
}

export interface ScanFinding {
  readonly severity: Severity;
  /** May be empty. */
  readonly ruleId: string;
  readonly message: string;
  readonly tool: string;
  /** In the tool's order; may be empty. */
  readonly places: readonly FindingPlace[];
  /** The first place in the repository, if any. */
  readonly location?: SourceLocation;
  /** Snyk's own rank, from 0 to 1000. */
  readonly priorityScore?: number;
}

export interface ScanRun {
  readonly tool: ScanTool;
  /** The file's name in messages. */
  readonly report: string;
  readonly counts: SeverityCounts;
  /** Accepted findings, excluded from every other count. */
  readonly suppressed: number;
  /** The most severe first, cut off by the limit for all runs. */
  readonly findings: readonly ScanFinding[];
  /** Why the run proves nothing; empty if it completed. */
  readonly fault: string;
}

/** Compliant when every run completed and found nothing at or above the level. */
export interface ScanResults extends ReportVerdict {
  readonly runs: readonly ScanRun[];
  readonly counts: SeverityCounts;
  readonly suppressed: number;
  /** The most severe findings of all runs first, at most `MAX_FINDINGS`. */
  readonly findings: readonly ScanFinding[];
  readonly furtherFindings: number;
  readonly failLevel: FailLevel;
}
