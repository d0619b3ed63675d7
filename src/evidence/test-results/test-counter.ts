import type { Tally } from "./tally.ts";
import { firstLine, MAX_MESSAGE_CHARACTERS, MAX_TEXT_CHARACTERS, short } from "./text-limits.ts";

/** One test of a report. */
export interface CountedTest {
  /** Empty when the report has no suites. */
  readonly suite: string;
  readonly name: string;
  readonly outcome: "passed" | "failure" | "error" | "skipped";
  readonly isFlaky?: boolean | undefined;
  readonly className?: string | undefined;
  readonly seconds?: number | undefined;
  readonly message?: string | undefined;
  /** Text that may name the place of a failure, such as a stack trace. */
  readonly text?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

interface Counts {
  failures: number;
  errors: number;
  skipped: number;
  flaky: number;
  total: number;
  duration: number;
}

/** Reads one report from parts of its bytes into a tally. */
export type ReportReader = (parts: AsyncIterable<Uint8Array>, report: string, tally: Tally) => Promise<void>;

/** Counts the tests of one report by suite. */
export class TestCounter {
  readonly #report: string;
  readonly #tally: Tally;
  readonly #suites = new Map<string, Counts>();
  #failed = 0;

  constructor(report: string, tally: Tally) {
    this.#report = report;
    this.#tally = tally;
  }

  /** How many tests failed so far, errors included. */
  get failed(): number {
    return this.#failed;
  }

  add(test: CountedTest): void {
    const suite = short(test.suite) || this.#report;
    const counts = this.#countsOf(suite);
    counts.total += 1;
    counts.duration += test.seconds ?? 0;
    if (test.outcome === "skipped") counts.skipped += 1;
    if (test.outcome === "passed" && test.isFlaky === true) counts.flaky += 1;
    if (test.outcome === "failure") counts.failures += 1;
    if (test.outcome === "error") counts.errors += 1;
    if (test.outcome === "failure" || test.outcome === "error") this.#fail(suite, test, test.outcome);
  }

  /**
   * Adds the failures that only the report's own counters have, as tests that are not listed.
   *
   * @param counted how many tests failed by the counters of the report
   */
  addUnlisted(counted: number, name: string): void {
    if (counted <= this.#failed) return;
    this.#tally.disagreements.add({
      suite: this.#report,
      report: this.#report,
      counted,
      told: this.#failed,
    });
    for (let left = counted - this.#failed; left > 0; left--)
      this.add({ suite: "", name, outcome: "failure" });
  }

  /** @param timestamp when the tests began, in Unix seconds */
  end(timestamp?: number): void {
    for (const [name, { flaky, ...counts }] of this.#suites)
      this.#tally.addSuite({ name, ...counts, ...(timestamp !== undefined && { timestamp }) }, flaky);
  }

  #countsOf(suite: string): Counts {
    const known = this.#suites.get(suite);
    if (known !== undefined) return known;
    const counts = { failures: 0, errors: 0, skipped: 0, flaky: 0, total: 0, duration: 0 };
    this.#suites.set(suite, counts);
    return counts;
  }

  #fail(suite: string, test: CountedTest, kind: "failure" | "error"): void {
    this.#failed += 1;
    if (!this.#tally.hasRoom) return;
    const { className = "", name, message = "", text = "", file = "", line } = test;
    this.#tally.failures.push({
      kind,
      suite,
      className: short(className),
      name: short(name) || suite,
      message: (message.trim() || firstLine(text)).slice(0, MAX_MESSAGE_CHARACTERS),
      report: this.#report,
      file: short(file),
      line,
      text: text.slice(0, MAX_TEXT_CHARACTERS),
    });
  }
}
