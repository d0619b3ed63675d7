/** Groups values of rows by key, in order: `valuesByKey(rows, (row) => [row.trail_id, row.repo_id])`. */
export function valuesByKey<Row, Key, Value>(
  rows: Iterable<Row>,
  toPair: (row: Row) => readonly [Key, Value],
): Map<Key, Value[]> {
  const groups = Map.groupBy(Array.from(rows, toPair), ([key]) => key);
  return new Map(Array.from(groups, ([key, pairs]) => [key, pairs.map(([, value]) => value)]));
}
