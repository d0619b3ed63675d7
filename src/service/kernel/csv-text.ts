/** Spreadsheets run a cell that begins like this as a formula, also behind blanks or in other scripts. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** A text as a field of CSV (RFC 4180). One that a spreadsheet would run gets an apostrophe before it. */
export function csvText(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
