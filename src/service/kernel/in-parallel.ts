/**
 * Does a work on each of some items, on a few at a time. Once one fails no more are begun, and those under way are
 * waited for.
 *
 * @returns what it gave for each, in their order
 * @throws what the first failure was
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
