import type { SuiteResult, TestCounts, TestFailure } from "./test-results.ts";
import { Disagreements } from "./unlisted-failures.ts";

/** Each is an object in one request, which has a limit of its own. */
export const MAX_SUITES = 1000;
export const MAX_FAILURES = 50;

/** A failure as its report tells it, with what may say where it is. */
export interface ReportedFailure extends Omit<TestFailure, "location"> {
  /** The file that the report names. */
  readonly file: string;
  readonly line: number | undefined;
  readonly text: string;
}

/** What was counted so far. It grows with the limits, never with the reports. */
export class Tally {
  readonly failures: ReportedFailure[] = [];
  readonly disagreements = new Disagreements();
  readonly #suites: SuiteResult[] = [];
  #furtherSuites = 0;
  #further: SuiteResult = { name: "", failures: 0, errors: 0, skipped: 0, total: 0, duration: 0 };
  #sum: SuiteResult = this.#further;
  #flaky = 0;

  addSuite(suite: SuiteResult, flaky: number): void {
    this.#sum = plus(this.#sum, suite);
    this.#flaky += flaky;
    if (this.#suites.length < MAX_SUITES) {
      this.#suites.push({ ...suite, duration: rounded(suite.duration) });
    } else {
      this.#furtherSuites += 1;
      this.#further = plus(this.#further, suite);
    }
  }

  /** True when one more failure would be kept. */
  get hasRoom(): boolean {
    return this.failures.length < MAX_FAILURES;
  }

  get suiteCount(): number {
    return this.#suites.length + this.#furtherSuites;
  }

  get suites(): SuiteResult[] {
    if (this.#furtherSuites === 0) return this.#suites;
    const name = `${this.#furtherSuites} further ${this.#furtherSuites === 1 ? "suite" : "suites"}`;
    return [...this.#suites, { ...this.#further, name, duration: rounded(this.#further.duration) }];
  }

  get counts(): TestCounts {
    const { total, failures, errors, skipped, duration } = this.#sum;
    return {
      total,
      passed: passedOf(this.#sum),
      failures,
      errors,
      skipped,
      flaky: this.#flaky,
      duration: rounded(duration),
    };
  }
}

function passedOf({ total, failures, errors, skipped }: SuiteResult): number {
  return total - failures - errors - skipped;
}

function plus(a: SuiteResult, b: SuiteResult): SuiteResult {
  return {
    name: a.name,
    failures: a.failures + b.failures,
    errors: a.errors + b.errors,
    skipped: a.skipped + b.skipped,
    total: a.total + b.total,
    duration: a.duration + b.duration,
  };
}

/** To the microsecond: what binary fractions add is not shown. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
