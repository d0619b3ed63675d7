export class DeadlinePassed extends Error {
  constructor(seconds: number) {
    super(`the time of ${seconds} s is up`);
    this.name = "DeadlinePassed";
  }
}

/** One limit in time for any number of steps, which all watch its `signal`. */
export class Deadline {
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** On the process's own clock, which never jumps, in seconds. */
  readonly #end: number;
  readonly #timer: NodeJS.Timeout;

  /** @param interrupted ends the work early, for a reason of its own */
  constructor(seconds: number, interrupted?: AbortSignal) {
    const controller = new AbortController();
    this.seconds = seconds;
    this.#end = process.uptime() + seconds;
    this.#timer = setTimeout(() => controller.abort(new DeadlinePassed(seconds)), seconds * 1000);
    this.signal = interrupted ? AbortSignal.any([controller.signal, interrupted]) : controller.signal;
  }

  /** What is left, in milliseconds; never negative. */
  get remaining(): number {
    return Math.max(0, (this.#end - process.uptime()) * 1000);
  }

  /** Lets go of the timer, which would keep the process alive. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** A request obeys its signal only once it is connected; until then the wait for it has to end here. */
export function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}
