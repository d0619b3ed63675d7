/** What rows say of each key, in their order: `valuesByKey(rows, (row) => row.trail_id, (row) => row.repo_id)`. */
export function valuesByKey<Row, Key, Value>(
  rows: Iterable<Row>,
  toKey: (row: Row) => Key,
  toValue: (row: Row) => Value,
): Map<Key, Value[]> {
  const found = new Map<Key, Value[]>();
  for (const row of rows) {
    const key = toKey(row);
    const known = found.get(key);
    if (known) known.push(toValue(row));
    else found.set(key, [toValue(row)]);
  }
  return found;
}
