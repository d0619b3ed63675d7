/**
 * A text with the letters of ASCII in lower case, and all others as they are. For names at GitHub that open something:
 * folding every script would take `\u212a`, the sign of Kelvin, for `k`, and so another name for the one that is meant.
 */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
