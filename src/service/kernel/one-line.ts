/** Characters that end a line or move a cursor: controls, and separators of lines and paragraphs. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
/** Direction marks, which can disguise a name. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Limits a text to one line of `most` UTF-16 units, well formed and without direction marks. */
export function oneLine(text: string, most: number): string {
  // Only the visible part is processed, because the text may be as long as a request.
  const line = text
    .slice(0, most * 4)
    .toWellFormed()
    .replace(DIRECTION, "")
    .replace(CONTROLS, " ")
    .trim();
  return shortened(line, most, text.length > most * 4);
}

function shortened(line: string, most: number, more: boolean): string {
  if (line.length <= most && !more) return line;
  const start = line.slice(0, most - 1);
  // A surrogate pair is kept or dropped as a whole.
  return `${/[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start}…`;
}
