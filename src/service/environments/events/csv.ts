import { csvText } from "../../kernel/csv-text.ts";

/** A line of CSV (RFC 4180). */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  return csvText(value);
}
