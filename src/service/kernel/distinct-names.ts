import { foldCase } from "./fold-case.ts";

/** Makes names unique, ignoring case and Unicode composition as Windows and macOS do. */
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
