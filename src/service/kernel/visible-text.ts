/** Control and format characters, except line breaks, tabs and the joiners that some scripts need. */
const UNSEEN = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\t\n\u200c\u200d]]/gv;

/** Replaces invisible characters with escapes. */
export function visible(value: string): string {
  return value.replace(UNSEEN, (found) => `\\u${found.codePointAt(0)?.toString(16).padStart(4, "0")}`);
}
