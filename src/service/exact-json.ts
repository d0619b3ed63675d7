import { keepDigits } from "../api/exact-numbers.ts";

/**
 * Numbers that JSON may write in several ways, or that a JavaScript number may not hold: many digits, an exponent, a
 * fraction that ends in zero, minus zero. Digests in strings are not meant, nor the tags of images.
 */
const RISKY = /[\s:,[]-?(\d[\d.]{15}|[\d.]+[eE]|\d+\.\d*0[\s,}\]])|[\s:,[]-0(?:\.0*)?(?![\d.])/;

/**
 * Parses JSON without losing digits: a number that would come out written in another way is kept as its text, and
 * written as that text again by `JSON.stringify`.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  // The reviver makes parsing several times slower, so it is used only where it may matter.
  return RISKY.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}
