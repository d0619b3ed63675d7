import type { SourceLocation } from "../source-location.ts";
import type { FailLevel, Severity, SeverityCounts } from "./severity.ts";

export interface ScanTool {
  readonly name: string;
  /** Empty when the tool does not tell. */
  readonly version: string;
}

export interface ScanFinding {
  readonly severity: Severity;
  /** Empty when the result names none. */
  readonly ruleId: string;
  readonly message: string;
  readonly tool: string;
  /** Where, as the tool writes it; empty when it does not tell. */
  readonly uri: string;
  /** Where in the repository, when it is there. */
  readonly location?: SourceLocation;
}

/** One run of one tool. */
export interface ScanRun {
  readonly tool: ScanTool;
  /** The file it was read from, as users know it. */
  readonly report: string;
  readonly counts: SeverityCounts;
  /** Findings that somebody accepted. In no other count. */
  readonly suppressed: number;
  /** The most severe first; beyond the limit for all runs together they are only counted. */
  readonly findings: readonly ScanFinding[];
  /** Why the run proves nothing; empty when it was carried out. */
  readonly fault: string;
}

export interface ScanResults {
  readonly runs: readonly ScanRun[];
  readonly counts: SeverityCounts;
  readonly suppressed: number;
  /** Of all runs, the most severe first, at most `MAX_FINDINGS`. */
  readonly findings: readonly ScanFinding[];
  /** How many more there are. */
  readonly furtherFindings: number;
  /** The files that were read, as users know them. */
  readonly reports: readonly string[];
  readonly failLevel: FailLevel;
  /** Every run was carried out, and found nothing as severe as the level. */
  readonly compliant: boolean;
  /** Why not, in one sentence without a full stop; empty when compliant. */
  readonly reason: string;
  readonly warnings: readonly string[];
}
