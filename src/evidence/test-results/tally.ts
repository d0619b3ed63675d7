import type { SuiteResult, TestCounts, TestFailure } from "./test-results.ts";
import { Disagreements, type Failed, firstOf, sum } from "./unlisted-failures.ts";

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

/** A point in the counting. */
export interface Mark {
  readonly suites: number;
  readonly total: number;
  readonly passed: number;
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

  get mark(): Mark {
    return { suites: this.#suites.length, total: this.#sum.total, passed: passedOf(this.#sum) };
  }

  /** The tests that were counted since then. */
  since({ total, passed }: Mark): { total: number; passed: number } {
    return { total: this.#sum.total - total, passed: passedOf(this.#sum) - passed };
  }

  /** Turns tests that passed since then into failed ones, of the first suites that have any. */
  failPassed({ suites }: Mark, failed: Failed): void {
    this.#sum = plusFailed(this.#sum, failed);
    let left = failed;
    for (const [index, suite] of this.#suites.entries()) {
      if (sum(left) === 0) return;
      if (index < suites) continue;
      const here = firstOf(left, passedOf(suite));
      this.#suites[index] = plusFailed(suite, here);
      left = { failures: left.failures - here.failures, errors: left.errors - here.errors };
    }
    this.#further = plusFailed(this.#further, left);
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

function plusFailed(suite: SuiteResult, { failures, errors }: Failed): SuiteResult {
  return { ...suite, failures: suite.failures + failures, errors: suite.errors + errors };
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
