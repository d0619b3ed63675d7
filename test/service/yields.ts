/** Counts how often a task yields. */
export async function yieldsDuring(work: () => Promise<unknown>): Promise<number> {
  let yields = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    yields++;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return yields;
}
