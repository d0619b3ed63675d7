import { RE2JS, RE2JSException } from "re2js";
import { PatternError } from "./pattern-error.ts";

/** The longest pattern that is taken. */
export const MAX_PATTERN_LENGTH = 1_000;
/**
 * The most states of the machine that a pattern becomes: what a match takes grows with them, to about 0.3 µs for each
 * state and character. A pattern of the greatest length stays below unless it has repeat counts such as `{500}`.
 */
export const MAX_PATTERN_STATES = 2_000;

/** A pattern ready to be matched. */
export interface LinearRegex {
  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean;
}

/**
 * Compiles a pattern that somebody else wrote. What a match takes grows with the text and with the states of the
 * pattern, but never with what could be tried. For the thread that serves everybody it is still too much: see
 * `PatternMatcher`. The syntax is that of RE2: as usual, without look-around and back-references.
 *
 * @throws PatternError
 */
export function compilePattern(pattern: string): LinearRegex {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new PatternError(pattern, `has ${pattern.length} characters; the limit is ${MAX_PATTERN_LENGTH}`);
  }
  const regex = compile(pattern);
  const states = regex.programSize();
  if (states > MAX_PATTERN_STATES) {
    throw new PatternError(
      pattern,
      `needs ${states} states; the limit is ${MAX_PATTERN_STATES}: use smaller repeat counts`,
    );
  }
  return { test: (text) => regex.test(text) };
}

function compile(pattern: string): RE2JS {
  try {
    // From the notation of JavaScript, such as `\/` and `\u00e9`, to that of RE2.
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new PatternError(pattern, error.message.replace("error parsing regexp", "is not valid"));
  }
}
