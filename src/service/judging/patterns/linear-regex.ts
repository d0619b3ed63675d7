import { RE2JS, RE2JSException } from "re2js";
import { PatternError } from "./pattern-error.ts";

export const MAX_PATTERN_LENGTH = 1_000;
/**
 * Limit of compiled states, since a match takes up to about 0.3 µs per state and character. Patterns of the maximum
 * length stay below it unless they have repeat counts, as in `{500}`.
 */
export const MAX_PATTERN_STATES = 2_000;

export interface LinearRegex {
  test(text: string): boolean;
}

/**
 * Compiles an untrusted pattern in RE2 syntax, which matches in linear time. Matching is still too slow for the main
 * thread; see `PatternMatcher`.
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
    // Converts JavaScript's syntax, such as `\/` and `\u00e9`, to RE2 syntax.
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new PatternError(pattern, error.message.replace("error parsing regexp", "is not valid"));
  }
}
