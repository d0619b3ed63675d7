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

/** A name without trailing dots and blanks, which Windows drops: `a.txt.` would become `a.txt`. */
export function portableName(name: string): string {
  return name.replace(/[. ]+$/, "") || "_";
}
