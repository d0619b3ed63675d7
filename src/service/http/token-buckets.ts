import { HttpError } from "./http-error.ts";

/** How many buckets there are: a few megabytes. Further callers share one until others are full again. */
const MOST_BUCKETS = 10_000;
/** The bucket of those for whom there is no other. */
const SHARED = Symbol("shared");

/** All are looked through this often at most: with each request it would take longer than the request. */
const SWEEP_SECONDS = 1;

/** Seconds that sums of fractions may be off. */
const ROUNDING = 1e-6;

interface BucketOptions {
  /** How many tokens a bucket holds, which is also how many come back in a minute. 0 is no limit. */
  readonly perMinute: number;
  /** What is refused, for the message: `Too many requests with this API key`. */
  readonly refusal: string;
  /** What the limit is called by those who watch it: `key_rate`. */
  readonly limit: string;
  /** Seconds that only ever go forward. */
  readonly clock?: () => number;
}

/** Lets each of many do something so often: all at once, and then as the tokens come back. */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #refusal: string;
  readonly #limit: string;
  readonly #clock: () => number;
  /** When the bucket of each will be full again. Those that are absent are full. */
  readonly #fullAt = new Map<string | typeof SHARED, number>();

  #nextSweep = Number.NEGATIVE_INFINITY;

  constructor({ perMinute, refusal, limit, clock = () => performance.now() / 1000 }: BucketOptions) {
    this.#perMinute = perMinute;
    this.#refusal = refusal;
    this.#limit = limit;
    this.#clock = clock;
  }

  /** @throws HttpError 429 when no token is left */
  take(name: string): void {
    if (this.#perMinute === 0) return;
    const secondsEach = 60 / this.#perMinute;
    const now = this.#clock();
    const holder = this.#bucketOf(name, now);
    const fullAt = Math.max(now, this.#fullAt.get(holder) ?? now) + secondsEach;
    // An empty bucket is full again after a minute.
    const wait = fullAt - now - 60;
    if (wait > ROUNDING) throw this.#tooMany(wait, fullAt - now);
    this.#fullAt.set(holder, fullAt);
  }

  #bucketOf(name: string, now: number): string | typeof SHARED {
    if (this.#fullAt.has(name) || this.#fullAt.size < MOST_BUCKETS) return name;
    if (now >= this.#nextSweep) {
      for (const [other, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(other);
      this.#nextSweep = now + SWEEP_SECONDS;
    }
    return this.#fullAt.size < MOST_BUCKETS ? name : SHARED;
  }

  #tooMany(wait: number, untilFull: number): HttpError {
    const seconds = Math.ceil(wait);
    const message = `${this.#refusal}: at most ${this.#perMinute} a minute; try again in ${seconds} s`;
    const headers = {
      "retry-after": String(seconds),
      "x-ratelimit-limit": String(this.#perMinute),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000 + untilFull)),
    };
    return new HttpError(429, message, headers, this.#limit);
  }
}
