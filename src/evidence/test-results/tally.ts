import type { SuiteResult, TestCounts, TestFailure } from "./test-results.ts";

const MAX_NAME_CHARACTERS = 500;
const MAX_MESSAGE_CHARACTERS = 1000;
/** Maximum length of a failure's text, which is searched for its location. */
export const MAX_TEXT_CHARACTERS = 16 * 1024;

export function short(text: string | undefined): string {
  return (text ?? "").trim().slice(0, MAX_NAME_CHARACTERS);
}

function firstLine(text: string): string {
  return /\S[^\n]*/.exec(text)?.[0].trim() ?? "";
}

/** Each is an object in one request, whose size is limited. */
export const MAX_SUITES = 1000;
export const MAX_FAILURES = 50;

/** A failure without its location in the repository. */
export interface ReportedFailure extends Omit<TestFailure, "location"> {
  /** The report's name of the file. */
  readonly file: string;
  readonly line: number | undefined;
  readonly text: string;
}

/** Sums of all reports. Its size depends on the limits, not on the reports. */
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

  addFailure(failure: ReportedFailure): void {
    if (this.failures.length >= MAX_FAILURES) return;
    const message = failure.message.trim() || firstLine(failure.text);
    this.failures.push({
      ...failure,
      message: message.slice(0, MAX_MESSAGE_CHARACTERS),
      text: failure.text.slice(0, MAX_TEXT_CHARACTERS),
    });
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
    const passed = total - failures - errors - skipped;
    const flaky = this.#flaky;
    return { total, passed, failures, errors, skipped, flaky, duration: rounded(duration) };
  }
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

/** To the microsecond, which hides errors of binary fractions. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

export interface Failed {
  failures: number;
  errors: number;
}

/**
 * Failures that a suite counts beyond its tests. Tools distinguish failures and errors differently, so both are compared
 * together.
 *
 * @param listed includes failures of tests that passed in a rerun, unless the suite counts these apart
 */
export function unlistedFailures(counted: Readonly<Failed>, listed: Readonly<Failed>): Failed {
  const unlisted = Math.max(0, sum(counted) - sum(listed));
  const errors = Math.min(unlisted, Math.max(0, counted.errors - listed.errors));
  return { failures: unlisted - errors, errors };
}

export function sum({ failures, errors }: Readonly<Failed>): number {
  return failures + errors;
}

/** A suite that counts more failures than its tests have. */
interface Disagreement {
  readonly suite: string;
  readonly report: string;
  readonly counted: number;
  readonly listed: number;
}

/** Maximum number of these warnings. The runner shows ten warnings of a step in all. */
const MAX_SHOWN = 3;

/** Keeps only those that are shown. */
class Disagreements {
  readonly #shown: string[] = [];
  #further = 0;

  add({ suite, report, counted, listed }: Disagreement): void {
    // An unnamed suite has its report's name.
    const what = suite === report ? `'${report}'` : `the suite '${suite}' in '${report}'`;
    this.#show(
      `${what} counts failures and errors: ${counted}, but its tests show ${listed}; the difference counts as failed`,
    );
  }

  /** Adds errors that a report counts outside its suites. */
  addErrorsOfNoTest(report: string, errors: number): void {
    const some = errors === 1 ? "1 error" : `${errors} errors`;
    this.#show(
      `'${report}' counts ${some} outside its tests, such as lines on standard error; they do not count as failed tests`,
    );
  }

  get warnings(): string[] {
    if (this.#further === 0) return this.#shown;
    const suites = this.#further === 1 ? "suite counts" : "suites count";
    return [
      ...this.#shown,
      `${this.#further} further ${suites} more failures and errors than their tests show`,
    ];
  }

  #show(warning: string): void {
    if (this.#shown.length < MAX_SHOWN) this.#shown.push(warning);
    else this.#further += 1;
  }
}
