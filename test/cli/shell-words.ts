/** The words of a command line as a shell splits them, with quotes but without variables. */
export function shellWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/['"]/g, ""));
}
