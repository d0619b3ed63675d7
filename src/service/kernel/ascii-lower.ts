/** Compares email addresses. Other letters stay, because toLowerCase makes a plain k of the Kelvin sign. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
