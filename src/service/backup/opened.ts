/** What was opened and made on the way to something. All of it is closed, the last first, unless it is kept. */
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
