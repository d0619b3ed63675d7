const MAX_SHOWN = 100;

/** A pattern that cannot be used. The message names it and says why. */
export class PatternError extends Error {
  /** Why, as the end of a sentence about the pattern. */
  readonly problem: string;

  constructor(pattern: string, problem: string) {
    const shown = pattern.length > MAX_SHOWN ? `${pattern.slice(0, MAX_SHOWN)}…` : pattern;
    super(`the pattern '${shown}' ${problem}`);
    this.name = "PatternError";
    this.problem = problem;
  }
}
