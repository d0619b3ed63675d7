const MAX_SHOWN = 100;

/** An invalid pattern. The message includes the pattern and the reason. */
export class PatternError extends Error {
  /** The predicate of a sentence about the pattern. */
  readonly problem: string;

  constructor(pattern: string, problem: string) {
    const shown = pattern.length > MAX_SHOWN ? `${pattern.slice(0, MAX_SHOWN)}…` : pattern;
    super(`the pattern '${shown}' ${problem}`);
    this.name = "PatternError";
    this.problem = problem;
  }
}
