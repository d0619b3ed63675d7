/**
 * What has been opened or made so far. Disposing of it closes all, the last first, unless it was kept. It stands in for
 * `AsyncDisposableStack`, which Node 22 does not have.
 */
export class Opened implements AsyncDisposable {
  #steps: (() => unknown)[] = [];

  /** Adds how something is closed, or removed. */
  add(close: () => unknown): void {
    this.#steps.push(close);
  }

  /** Keeps it all open. @returns what closes it later */
  keep(): AsyncDisposable {
    const kept = new Opened();
    kept.#steps = this.#steps;
    this.#steps = [];
    return { [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose]() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#steps.splice(0).reverse()) await close();
  }
}
