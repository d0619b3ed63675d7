export async function fewAtATime<T, R>(limit: number, items: readonly T[], work: (item: T) => Promise<R>) {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
