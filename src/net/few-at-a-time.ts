/** Works on some items at a time. No item is begun after one has failed. */
export async function fewAtATime<T, R>(limit: number, items: readonly T[], work: (item: T) => Promise<R>) {
  const results: R[] = [];
  const waiting = items.entries();
  let failed = false;
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
