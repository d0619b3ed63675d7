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

/** At most so many of them, errors first. */
export function firstOf({ failures, errors }: Readonly<Failed>, most: number): Failed {
  const room = Math.max(0, most);
  const first = Math.min(errors, room);
  return { failures: Math.min(failures, room - first), errors: first };
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
  readonly #shown: Disagreement[] = [];
  #further = 0;

  add(found: Disagreement): void {
    if (this.#shown.length < MAX_SHOWN) this.#shown.push(found);
    else this.#further += 1;
  }

  get warnings(): string[] {
    const shown = this.#shown.map(({ suite, report, counted, told }) => {
      // A suite without a name goes by that of its report.
      const what = suite === report ? `'${report}'` : `the suite '${suite}' in '${report}'`;
      return `${what} counts failures and errors: ${counted}, but its tests tell of ${told}; the difference counts as failed`;
    });
    if (this.#further === 0) return shown;
    const suites = this.#further === 1 ? "suite counts" : "suites count";
    return [...shown, `${this.#further} further ${suites} more failures and errors than their tests tell of`];
  }
}
