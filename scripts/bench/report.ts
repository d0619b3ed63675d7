import { type Finding, isHeld } from "./rows.ts";

/** The findings as a table. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    finding.what,
    finding.value === undefined ? "" : `${round(finding.value)} ${finding.unit}`,
    `${isHeld(finding) ? "ok" : "MISSED"}, ${boundOf(finding)}`,
    finding.note ?? "",
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

function boundOf({ bound }: Finding): string {
  return "most" in bound ? `at most ${bound.most}` : `at least ${bound.least}`;
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
