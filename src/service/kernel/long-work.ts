import { setImmediate } from "node:timers/promises";

/** Organizations take turns, one piece per turn of the event loop. See slices.ts for undivided work. */
export class LongWork {
  /** The pieces that wait, by organization; the organization whose turn it is stands first. */
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
