/** Rows of text in columns, as wide as their widest cell. The first row is the heading. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The day of a time in Unix seconds, such as `2027-01-31`. */
export function day(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 10);
}
