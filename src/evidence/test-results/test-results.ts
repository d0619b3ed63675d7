import type { ReportVerdict } from "../report-files.ts";
import type { SourceLocation } from "../source-location.ts";

/** A suite's results in the fields of the interface's `junit_results`. */
export interface SuiteResult {
  readonly name: string;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  readonly total: number;
  /** Seconds. */
  readonly duration: number;
  /** Unix seconds; absent if the report has no time zone. */
  readonly timestamp?: number;
}

export interface TestFailure {
  readonly kind: "failure" | "error";
  readonly suite: string;
  /** May be empty. */
  readonly className: string;
  readonly name: string;
  /** The first lines of the reason; may be empty. */
  readonly message: string;
  /** The file's name in messages. */
  readonly report: string;
  /** Location in the sources, if known. */
  readonly location?: SourceLocation;
}

export interface TestCounts extends Omit<SuiteResult, "name" | "timestamp"> {
  readonly passed: number;
  /** Passed only in a rerun. Also in `passed`. */
  readonly flaky: number;
}

/** Compliant if at least one test ran and none failed. */
export interface TestResults extends ReportVerdict {
  /** At most `MAX_SUITES`, plus one entry with the sum of the others. */
  readonly suites: readonly SuiteResult[];
  /** Includes unlisted suites. */
  readonly suiteCount: number;
  readonly counts: TestCounts;
  /** The first ones, at most `MAX_FAILURES`. */
  readonly failures: readonly TestFailure[];
  readonly furtherFailures: number;
}
