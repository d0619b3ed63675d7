export class DeadlinePassed extends Error {
  constructor(seconds: number) {
    super(`timed out after ${seconds} s`);
    this.name = "DeadlinePassed";
  }
}

/** A time limit shared by several steps, which all watch its `signal`. */
export class Deadline {
  /** Time limit, in seconds. */
  readonly seconds: number;
  /** Aborts at the end of the limit. */
  readonly signal: AbortSignal;
  /** End on the monotonic clock of the process, in seconds. */
  readonly #end: number;
  readonly #timer: NodeJS.Timeout;

  /** @param interrupted signal that ends the work early */
  constructor(seconds: number, interrupted?: AbortSignal) {
    const controller = new AbortController();
    this.seconds = seconds;
    this.#end = process.uptime() + seconds;
    this.#timer = setTimeout(() => controller.abort(new DeadlinePassed(seconds)), seconds * 1000);
    this.signal = interrupted ? AbortSignal.any([controller.signal, interrupted]) : controller.signal;
  }

  /** Remaining time, in milliseconds; never negative. */
  get remaining(): number {
    return Math.max(0, (this.#end - process.uptime()) * 1000);
  }

  /** Clears the timer, which would keep the process alive. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** Rejects when the signal aborts, because a request ignores its signal until it is connected. */
export function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}
