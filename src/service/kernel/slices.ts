/*
 * For undivided work, such as a transaction or a response, which continues but lets other work in between. Work that
 * can wait and is shared equally among organizations goes to `LongWork` in long-work.ts.
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
