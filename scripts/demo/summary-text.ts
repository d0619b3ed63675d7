/** Formats a step's summary for a terminal: underlined headings, aligned tables, decoded entities. */
export function summaryText(markdown: string): string {
  const lines: string[] = [];
  let table: string[][] = [];
  const endTable = () => {
    const widths = (table[0] ?? []).map((_, column) =>
      Math.max(...table.map((row) => row[column]?.length ?? 0)),
    );
    for (const row of table)
      lines.push(
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd(),
      );
    table = [];
  };
  for (const line of markdown.split("\n")) {
    if (line.startsWith("|")) {
      if (!/^\|[\s|:-]+\|$/.test(line))
        table.push(
          line
            .slice(1, -1)
            .split("|")
            .map((cell) => decode(cell.trim()).replace(/\[(.*?)\]\(<.*?>\)/g, "$1")),
        );
      continue;
    }
    endTable();
    const heading = /^#+ (.*)/.exec(line)?.[1];
    if (heading !== undefined) lines.push(decode(heading), "─".repeat(decode(heading).length));
    else if (line !== "") lines.push(decode(line).replace(/\[(.*?)\]\(<(.*?)>\)/g, "$1: $2"));
  }
  endTable();
  return lines
    .filter((line) => line !== "")
    .map((line) => `  ${line}\n`)
    .join("");
}

function decode(text: string): string {
  const plain = text.replaceAll("<wbr>", "").replaceAll("<br>", "; ").replaceAll("**", "");
  return plain.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
