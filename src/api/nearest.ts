/** Maximum number of suggestions. */
const MOST = 3;

/**
 * Suggests names for a mistyped word, best first: names that contain it, then names that differ in at most a third of
 * its letters. Ignores letter case.
 */
export function nearest(word: string, names: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  const ranked = [...names].map((name) => ({ name, distance: farness(wanted, name.toLowerCase()) }));
  const tolerable = wanted.length / 3;
  return ranked
    .filter(({ distance }) => distance <= tolerable)
    .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** A part of a name of at least three letters is nearer than any misspelling. Two swapped letters count as one. */
function farness(wanted: string, name: string): number {
  const letters = editDistance(wanted, name);
  const distance = letters === 2 && sorted(wanted) === sorted(name) ? 1 : letters;
  return wanted.length >= 3 && name.includes(wanted) ? Math.min(distance, 0.5) : distance;
}

function sorted(text: string): string {
  return [...text].sort().join("");
}

/** Levenshtein distance: how many letters to add, remove or replace to turn one text into the other. */
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
