/*
 * For work that has to be done as one, in a transaction or for one answer: it keeps its place and only lets others in.
 * Work that may wait, and of which organizations are to get equal shares, goes to `LongWork` in long-work.ts.
 */

/** How many items a long work takes before it lets others in. */
const SLICE = 5_000;

/**
 * Does a work on many items in slices. Between two of them whatever else waits gets its turn, so that one large
 * request does not stop all others; a list that is no longer than a slice is done at once.
 *
 * @returns what the slices gave, in one list
 */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  work: (slice: readonly Item[]) => readonly Result[] | Promise<readonly Result[]>,
  size = SLICE,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await letOthersIn();
    for (const result of await work(items.slice(start, start + size))) results.push(result);
  }
  return results;
}

/** Resolves when all that waited has had its turn. */
export function letOthersIn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
