interface Options {
  readonly seconds: number;
  /** Maximum number of results. The oldest is dropped first. */
  readonly max: number;
}

/**
 * Remembers results for a short time. Concurrent requests for one key share the work. Failures are not remembered, so
 * that the next request tries again.
 */
export class RecentResults<Result> {
  readonly #options: Options;
  /** Oldest first, because all results are remembered for the same time. */
  readonly #known = new Map<string, { readonly until: number; readonly result: Promise<Result> }>();

  constructor(options: Options) {
    this.#options = options;
  }

  get size(): number {
    return this.#known.size;
  }

  /** @param now in seconds */
  get(key: string, now: number, work: () => Promise<Result>): Promise<Result> {
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now) return known.result;
    this.#known.delete(key);
    const made = { until: now + this.#options.seconds, result: work() };
    this.#known.set(key, made);
    made.result.catch(() => {
      if (this.#known.get(key) === made) this.#known.delete(key);
    });
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#options.max && oldest !== undefined) this.#known.delete(oldest);
    return made.result;
  }
}
