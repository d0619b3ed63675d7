import type { MeasuredBatch } from "../store.ts";

/** Counts the statements of a connection, and how many times it waited for the responses before it sent more. */
export class Traffic {
  statements = 0;
  roundTrips = 0;
  #unanswered = 0;

  /** Whether all statements have their responses. */
  get isIdle(): boolean {
    return this.#unanswered === 0;
  }

  sent(): void {
    this.statements++;
    if (this.#unanswered === 0) this.roundTrips++;
    this.#unanswered++;
  }

  answered(): void {
    this.#unanswered--;
  }
}

type Counts = Pick<Traffic, "statements" | "roundTrips">;

/** Measures where the time of one batch goes. Times are those of `performance.now()`. */
export class BatchTimes {
  readonly #startedAt = performance.now();
  readonly #traffic: Traffic;
  readonly #before: Counts;
  /** The next batch begins while this one is flushed. */
  #after: Counts;
  #own = 0;
  #sentAt = this.#startedAt;
  #begunAt = this.#startedAt;
  #lockedAt = this.#startedAt;
  #committingAt = this.#startedAt;
  #flushingAt: number | undefined;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
    this.#before = { ...traffic };
    this.#after = this.#before;
  }

  /** A statement around the writes was sent, such as `begin`. */
  sent(): void {
    this.#own++;
  }

  /** `begin` is sent, together with the lock. */
  beginning(): void {
    this.#sentAt = performance.now();
  }

  /** The response to `begin` arrived. */
  begun(): void {
    this.#begunAt = performance.now();
  }

  locked(): void {
    this.#lockedAt = performance.now();
  }

  committing(): void {
    this.sent();
    this.#committingAt = performance.now();
    this.#after = { ...this.#traffic };
  }

  /** The commit, which did not wait for the disk, was answered. */
  flushing(): void {
    this.#flushingAt = performance.now();
  }

  measured(committedAt: number): MeasuredBatch {
    const { statements, roundTrips } = this.#after;
    return {
      committedAt,
      flushingAt: this.#flushingAt,
      seconds: (committedAt - this.#startedAt) / 1000,
      wait: (this.#lockedAt - this.#begunAt) / 1000,
      flush: (committedAt - this.#committingAt) / 1000,
      server: {
        statements: statements - this.#before.statements + this.#own,
        // The commit waits for the writes. The first of them is sent together with `begin`.
        roundTrips: roundTrips - this.#before.roundTrips + 1,
        roundTrip: (this.#begunAt - this.#sentAt) / 1000,
      },
    };
  }
}
