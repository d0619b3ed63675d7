import { foldCase } from "./fold-case.ts";

/**
 * Names that no two files share: a second `report.html` is `2-report.html`. Names that differ by case or by how a
 * letter is composed are the same, as they are where Windows and macOS keep files.
 */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map(portableName).map((name) => {
    let distinct = name;
    for (let count = 2; taken.has(foldCase(distinct)); count++) distinct = `${count}-${name}`;
    taken.add(foldCase(distinct));
    return distinct;
  });
}

/** A name without the dots and blanks at its end, which Windows leaves out: `a.txt.` would become `a.txt` there. */
export function portableName(name: string): string {
  return name.replace(/[. ]+$/, "") || "_";
}
