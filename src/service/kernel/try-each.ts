interface Work<Item> {
  /** Skips the rest once it is aborted. */
  readonly stop: AbortSignal;
  run(item: Item): Promise<void>;
  /** Message of the error for an item that failed. */
  failed(item: Item): string;
}

/** Runs all items in turn, so that a failure affects no other. @returns the first failure */
export async function tryEach<Item>(
  items: readonly Item[],
  { stop, run, failed }: Work<Item>,
): Promise<Error | undefined> {
  let failure: Error | undefined;
  for (const item of items) {
    if (stop.aborted) break;
    try {
      await run(item);
    } catch (cause) {
      failure ??= new Error(failed(item), { cause });
    }
  }
  return failure;
}
