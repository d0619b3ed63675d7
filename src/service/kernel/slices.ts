/*
 * For work that has to be done as one, in a transaction or for one answer: it keeps its place and only lets others in.
 * Work that may wait, and of which organizations are to get equal shares, goes to `LongWork` in long-work.ts.
 */

const SLICE = 5_000;

/** Processes a list in slices and lets other work in between. */
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

export function letOthersIn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
