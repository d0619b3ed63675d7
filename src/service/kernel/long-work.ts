import { setImmediate } from "node:timers/promises";

/** Organizations take turns, one piece per turn of the event loop. For undivided work, see slices.ts. */
export class LongWork {
  /** Waiting pieces by organization. The organization whose turn it is comes first. */
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();
  #isUnderWay = false;

  do<T>(organization: string, work: () => T | Promise<T>): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      const piece = async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      this.#waiting.set(organization, [...(this.#waiting.get(organization) ?? []), piece]);
    });
    if (!this.#isUnderWay) void this.#workOff();
    return done;
  }

  async #workOff(): Promise<void> {
    this.#isUnderWay = true;
    for (;;) {
      // One wait may end in the same turn of the event loop; a second one ends in the next.
      await setImmediate();
      await setImmediate();
      const [next] = this.#waiting;
      if (!next) break;
      const [organization, [piece, ...others]] = next;
      this.#waiting.delete(organization);
      if (others.length > 0) this.#waiting.set(organization, others);
      await piece?.();
    }
    this.#isUnderWay = false;
  }
}
