import { serveTasks } from "../../kernel/threads/serve-tasks.ts";
import { compilePattern } from "./linear-regex.ts";
import { PatternError } from "./pattern-error.ts";

/** A pattern to match. Without texts it is only checked. */
export interface PatternTask {
  readonly pattern: string;
  readonly texts: readonly string[];
}

export type PatternResult =
  /** 1 or 0 for each of the first texts; the rest need another turn. */
  | { readonly found: Uint8Array }
  /** The reason that the pattern is invalid. */
  | { readonly problem: string };

/** In characters. File paths are not longer. */
const MAX_TEXT_LENGTH = 4_096;
/** In milliseconds. After a turn, other organizations have theirs. */
const TURN_MS = 50;

serveTasks(({ pattern, texts }: PatternTask): PatternResult => {
  try {
    return { found: foundIn(texts, pattern) };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { problem: error.problem };
  }
});

function foundIn(texts: readonly string[], pattern: string): Uint8Array {
  const { test } = compilePattern(pattern);
  const found = new Uint8Array(texts.length);
  const end = performance.now() + TURN_MS;
  let done = 0;
  for (const text of texts) {
    if (text.length > MAX_TEXT_LENGTH) {
      throw new PatternError(
        pattern,
        `cannot be matched in a text of ${text.length} characters; the limit is ${MAX_TEXT_LENGTH}`,
      );
    }
    found[done++] = Number(test(text));
    if (performance.now() > end) break;
  }
  return found.slice(0, done);
}
