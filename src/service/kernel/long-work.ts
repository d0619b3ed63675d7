import { setImmediate } from "node:timers/promises";

/**
 * Lets work that takes long be done a piece at a time, each in a turn of the event loop of its own, so that short
 * requests are answered in between. Organizations take turns as well: many pieces of one do not keep another waiting.
 * It is for pieces that stand alone and may wait; what has to be done as one lets others in itself, as slices.ts does.
 */
export class LongWork {
  /** The pieces that wait, by organization; the organization whose turn it is stands first. */
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();
  #isUnderWay = false;

  /** Does a piece of work when its turn has come, and gives what it gives. */
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
      // After the first the loop may still be in the turn in which requests came in; after the second it has moved on.
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
