export const WIDTH = 80;

/** Headings and their lines. */
export function sections(parts: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(parts)
    .map(([heading, lines]) => [heading, ...lines].join("\n"))
    .join("\n\n");
}

/** Two columns, the second one wrapped. */
export function rows(pairs: readonly (readonly [string, string])[], least = 0): string[] {
  const width = Math.max(least, ...pairs.map(([name]) => name.length));
  return pairs.flatMap(([name, text]) =>
    wrapped(text, WIDTH - width - 4).map(
      (line, index) => `  ${(index === 0 ? name : "").padEnd(width)}  ${line}`,
    ),
  );
}

export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) lines.push(word);
    else lines.splice(-1, 1, `${last} ${word}`);
  }
  return lines;
}

/** Aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
