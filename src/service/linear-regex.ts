import { RE2JS, RE2JSException } from "re2js";

/** The longest pattern that is taken. */
export const MAX_PATTERN_LENGTH = 1_000;

/** A pattern that cannot be used; its message says why. */
export class PatternError extends Error {
  readonly pattern: string;

  constructor(pattern: string, problem: string) {
    super(problem);
    this.name = "PatternError";
    this.pattern = pattern;
  }
}

/** A pattern ready to be matched. */
export interface LinearRegex {
  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean;
  /** Whether the pattern matches the text as a whole. */
  testWhole(text: string): boolean;
}

/**
 * Compiles a pattern that somebody else wrote. It is matched in time that grows with the text and not with what
 * is tried, so that no pattern can hold up the service. The syntax is that of RE2: as usual, without look-around
 * and back-references.
 *
 * @throws PatternError
 */
export function compilePattern(pattern: string): LinearRegex {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new PatternError(
      pattern,
      `the pattern has ${pattern.length} characters; the limit is ${MAX_PATTERN_LENGTH}`,
    );
  }
  const regex = compile(pattern);
  return { test: (text) => regex.test(text), testWhole: (text) => regex.testExact(text) };
}

function compile(pattern: string): RE2JS {
  try {
    // From the notation of JavaScript, such as `\/` and `\u00e9`, to that of RE2.
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new PatternError(
      pattern,
      error.message.replace("error parsing regexp", "the pattern is not valid"),
    );
  }
}
