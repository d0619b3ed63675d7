/** Text in which nothing ends a line or moves a cursor: whatever is no printable ASCII character is an escape. */
export function escapeBeyondAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
