import { makeTemporaryFolder } from "../../store/local-files.ts";

/** Replaces `AsyncDisposableStack`, which Node 22 does not have. */
export class Opened implements AsyncDisposable {
  #steps: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#steps.push(close);
  }

  keep(): AsyncDisposable {
    const moved = new Opened();
    moved.#steps = this.#steps;
    this.#steps = [];
    return { [Symbol.asyncDispose]: () => moved[Symbol.asyncDispose]() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#steps.splice(0).reverse()) await close();
  }
}

export async function scratchFolder(opened: Opened): Promise<string> {
  const { path, remove } = await makeTemporaryFolder("evidence-copy");
  opened.add(remove);
  return path;
}
