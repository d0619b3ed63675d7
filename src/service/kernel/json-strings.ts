const BACKSLASH = 0x5c;

/** The place of the quote that ends the string which begins at a place; the end of the text when nothing ends it. */
export function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(json: string, place: number): boolean {
  let first = place;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (place - first) % 2 === 1;
}
