import { ReportFault } from "../report-fault.ts";
import { decoderFor, type TextParts } from "../text-encoding.ts";
import { short, type Tally } from "./tally.ts";

export interface CountedTest {
  /** May be empty. */
  readonly suite: string;
  readonly name: string;
  readonly outcome: "passed" | "failure" | "error" | "skipped";
  readonly isFlaky?: boolean | undefined;
  readonly className?: string | undefined;
  readonly seconds?: number | undefined;
  readonly message?: string | undefined;
  /** Text that may contain the failure's location, such as a stack trace. */
  readonly text?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

type Counts = Record<"failures" | "errors" | "skipped" | "flaky" | "total" | "duration", number>;

export type ReportReader = (parts: AsyncIterable<Uint8Array>, report: string, tally: Tally) => Promise<void>;

export class TestCounter {
  readonly #report: string;
  readonly #tally: Tally;
  readonly #suites = new Map<string, Counts>();
  #failed = 0;

  constructor(report: string, tally: Tally) {
    this.#report = report;
    this.#tally = tally;
  }

  /** Includes errors. */
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
   * Adds failures that only the report's own counters have, as unlisted tests.
   *
   * @param counted failed tests by the report's counters
   */
  addUnlisted(counted: number): void {
    if (counted <= this.#failed) return;
    const [report, listed] = [this.#report, this.#failed];
    this.#tally.disagreements.add({ suite: report, report, counted, listed });
    for (let left = counted - this.#failed; left > 0; left--)
      this.add({ suite: "", name: "a test that the report counts but does not list", outcome: "failure" });
  }

  /** @param timestamp start of the tests in Unix seconds */
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
    const { className = "", name, message = "", text = "", file = "", line } = test;
    const named = { suite, className: short(className), name: short(name) || suite };
    this.#tally.addFailure({ kind, ...named, message, report: this.#report, file: short(file), line, text });
  }
}

const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** @throws ReportFault if the bytes are not text, or a line is too long */
export async function* linesIn(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextParts | undefined;
  let rest = "";
  for await (const part of parts) {
    decoder ??= decoderFor(part);
    const lines = (rest + decoder.decode(part)).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new ReportFault(`has a line longer than ${MAX_LINE_CHARACTERS} characters`);
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  rest += decoder?.end() ?? "";
  if (rest !== "") yield rest;
}
