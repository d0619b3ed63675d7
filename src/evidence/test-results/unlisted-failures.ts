/** Tests that failed and tests that broke. */
export interface Failed {
  failures: number;
  errors: number;
}

/**
 * What a suite counts as failed beyond what its tests tell of. Tools differ in what they call a failure and what an
 * error, so the two are compared together.
 *
 * @param told with failures of tests that passed when they were run again, unless the suite counts these apart
 */
export function untoldFailures(counted: Readonly<Failed>, told: Readonly<Failed>): Failed {
  const untold = Math.max(0, sum(counted) - sum(told));
  const errors = Math.min(untold, Math.max(0, counted.errors - told.errors));
  return { failures: untold - errors, errors };
}

export function sum({ failures, errors }: Readonly<Failed>): number {
  return failures + errors;
}

/** A suite that counts more as failed than its tests tell of. */
export interface Disagreement {
  readonly suite: string;
  readonly report: string;
  readonly counted: number;
  readonly told: number;
}

/** The runner shows ten warnings of a step, and there are others. */
const MAX_SHOWN = 3;

/** Gathers disagreements to warn of. It keeps no more of them than are shown. */
export class Disagreements {
  readonly #shown: string[] = [];
  #further = 0;

  add({ suite, report, counted, told }: Disagreement): void {
    // A suite without a name goes by that of its report.
    const what = suite === report ? `'${report}'` : `the suite '${suite}' in '${report}'`;
    this.#show(
      `${what} counts failures and errors: ${counted}, but its tests tell of ${told}; the difference counts as failed`,
    );
  }

  /** Adds errors that a report counts outside of its suites, where no suite counts errors. */
  addErrorsOfNoTest(report: string, errors: number): void {
    const some = errors === 1 ? "1 error that belongs" : `${errors} errors that belong`;
    this.#show(
      `'${report}' counts ${some} to no test, such as lines on standard error; they do not count as failed tests`,
    );
  }

  get warnings(): string[] {
    if (this.#further === 0) return this.#shown;
    const suites = this.#further === 1 ? "suite counts" : "suites count";
    return [
      ...this.#shown,
      `${this.#further} further ${suites} more failures and errors than their tests tell of`,
    ];
  }

  #show(warning: string): void {
    if (this.#shown.length < MAX_SHOWN) this.#shown.push(warning);
    else this.#further += 1;
  }
}
