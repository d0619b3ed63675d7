/** What rows say of each key, in their order: `valuesByKey(rows, (row) => row.trail_id, (row) => row.repo_id)`. */
export function valuesByKey<Row, Key, Value>(
  rows: Iterable<Row>,
  toKey: (row: Row) => Key,
  toValue: (row: Row) => Value,
): Map<Key, Value[]> {
  const groups = Map.groupBy(rows, toKey);
  return new Map(Array.from(groups, ([key, each]) => [key, each.map(toValue)]));
}
