import type { ServerResponse } from "node:http";

/** This many requests at a time keep the service busy. */
const MANY = 8;
const MOMENT_MS = 250;

/** The requests in progress. While the service drains, each of them is the last of its connection. */
export class OpenAnswers {
  readonly #open = new Set<ServerResponse>();
  #draining = false;
  #manyAt = Number.NEGATIVE_INFINITY;

  note(answer: ServerResponse): void {
    this.#open.add(answer);
    if (this.#open.size >= MANY) this.#manyAt = performance.now();
    answer.once("close", () => this.#open.delete(answer));
    if (this.#draining) endConnectionAfter(answer);
  }

  /** From now on, responses close their connections, so that the next request may reach another instance. */
  drain(): void {
    this.#draining = true;
    for (const answer of this.#open) endConnectionAfter(answer);
  }

  get draining(): boolean {
    return this.#draining;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Whether many requests were in progress a moment ago. One commit answers them all, and the next ones follow. */
  get wereMany(): boolean {
    return performance.now() - this.#manyAt < MOMENT_MS;
  }
}

function endConnectionAfter(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader("connection", "close");
}
