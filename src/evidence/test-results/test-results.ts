import type { SourceLocation } from "../source-location.ts";

/** The results of the tests of one suite, in the fields of the interface's `junit_results`. */
export interface SuiteResult {
  readonly name: string;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  readonly total: number;
  /** Seconds. */
  readonly duration: number;
  /** Unix seconds. Only when the report says in which time zone its times are. */
  readonly timestamp?: number;
}

export interface TestFailure {
  readonly kind: "failure" | "error";
  readonly suite: string;
  /** Empty when the report names none. */
  readonly className: string;
  readonly name: string;
  /** One or a few lines that say what went wrong; empty when the report does not. */
  readonly message: string;
  /** The report it was read from, as users know it. */
  readonly report: string;
  /** Where in the sources, as far as the report tells. */
  readonly location?: SourceLocation;
}

export interface TestCounts {
  readonly total: number;
  readonly passed: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  /** Passed, but only when they were run again. Also in `passed`. */
  readonly flaky: number;
  /** Seconds. */
  readonly duration: number;
}

export interface TestResults {
  /** At most `MAX_SUITES`; those beyond are summed up in one further entry, so the sums are always those of all. */
  readonly suites: readonly SuiteResult[];
  /** How many there are, whether they are listed or not. */
  readonly suiteCount: number;
  readonly counts: TestCounts;
  /** The first ones, at most `MAX_FAILURES`. */
  readonly failures: readonly TestFailure[];
  /** How many more there are. */
  readonly furtherFailures: number;
  /** The files that were counted, as users know them. */
  readonly reports: readonly string[];
  /** Some test ran, and none failed or broke. */
  readonly compliant: boolean;
  /** Why not, in one sentence without a full stop; empty when compliant. */
  readonly reason: string;
  readonly warnings: readonly string[];
}
