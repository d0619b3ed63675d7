/** Spreadsheets run a cell with this prefix as a formula, even after blanks or in other scripts. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** Formats a text as a CSV field (RFC 4180). An apostrophe precedes a text that a spreadsheet would run. */
export function csvText(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV. Null is an empty field. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  const fields = cells.map((cell) => (typeof cell === "string" ? csvText(cell) : String(cell ?? "")));
  return `${fields.join(",")}\r\n`;
}
