import type { SourceLocation } from "../source-location.ts";
import type { FailLevel, Severity, SeverityCounts } from "./severity.ts";

export interface ScanTool {
  readonly name: string;
  /** Empty when the tool does not tell. */
  readonly version: string;
}

export interface FindingPlace {
  /** A path in the repository when it is there, else an address as the tool writes it. */
  readonly uri: string;
  /** `12` or `12-15`; empty when the tool names none. */
  readonly lines: string;
}

export interface ScanFinding {
  readonly severity: Severity;
  /** Empty when the result names none. */
  readonly ruleId: string;
  readonly message: string;
  readonly tool: string;
  /** Where, in the order of the tool; empty when it does not tell. */
  readonly places: readonly FindingPlace[];
  /** The first place in the repository, when one is there. */
  readonly location?: SourceLocation;
  /** Snyk's own rank, from 0 to 1000. */
  readonly priorityScore?: number;
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
