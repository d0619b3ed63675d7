/** More suggestions than this confuse. */
const MOST = 3;

/**
 * The names that somebody who wrote this word may have meant, the likeliest first: those that hold it, then those
 * that few changes of a letter lead to. The case of letters does not matter.
 */
export function nearest(word: string, names: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  const ranked = [...names].map((name) => ({ name, distance: farness(wanted, name.toLowerCase()) }));
  const tolerable = Math.max(2, Math.floor(wanted.length / 2));
  return ranked
    .filter(({ distance }) => distance <= tolerable)
    .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** A part of a name is nearer than anything misspelt, unless it is next to nothing. */
function farness(wanted: string, name: string): number {
  const distance = editDistance(wanted, name);
  return wanted.length >= 3 && name.includes(wanted) ? Math.min(distance, 0.5) : distance;
}

/** Levenshtein's: how many letters must be added, left out or replaced to turn one text into the other. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
