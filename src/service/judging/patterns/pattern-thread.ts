import { serveTasks } from "../../kernel/threads/serve-tasks.ts";
import { compilePattern } from "./linear-regex.ts";
import { PatternError } from "./pattern-error.ts";

/** A pattern, and the texts to look for it in. Without texts it is only checked. */
export interface PatternTask {
  readonly pattern: string;
  readonly texts: readonly string[];
}

export type PatternResult =
  /** For each of the first texts 1 where the pattern is found, else 0. The other texts need another turn. */
  | { readonly found: Uint8Array }
  /** Why the pattern cannot be used. */
  | { readonly problem: string };

/** The longest text that is matched, in characters: no path of a file is longer. */
const MAX_TEXT_LENGTH = 4_096;
/** After so long others have their turn, in milliseconds. */
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
        `is to be found in a text of ${text.length} characters; the limit is ${MAX_TEXT_LENGTH}`,
      );
    }
    found[done++] = Number(test(text));
    if (performance.now() > end) break;
  }
  return found.slice(0, done);
}
