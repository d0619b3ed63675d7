import type { IncomingMessage } from "node:http";
import type { ErrorCode } from "../../api/error-codes.ts";
import type { Caller } from "../kernel/caller.ts";
import { type ClientAddresses, holderOf } from "./client-address.ts";
import { HttpError } from "./error-answer.ts";
import type { ServiceLimits } from "./limits.ts";

export class RateLimits {
  readonly #proxies: ClientAddresses;
  readonly #addresses: TokenBuckets;
  readonly #keys: TokenBuckets;
  readonly #failedLogins: TokenBuckets;

  constructor({ addressRate, keyRate, failedLoginRate }: ServiceLimits, proxies: ClientAddresses) {
    this.#proxies = proxies;
    const limited = (perMinute: number, code: ErrorCode, refusal: string) =>
      new TokenBuckets({ perMinute, code, refusal });
    this.#addresses = limited(addressRate, "limit.address_rate", "Too many requests from your address");
    this.#keys = limited(keyRate, "limit.key_rate", "Too many requests with this API key");
    this.#failedLogins = limited(
      failedLoginRate,
      "limit.failed_login_rate",
      "Too many failed logins from your address",
    );
  }

  /**
   * A valid key is admitted however many invalid ones came from its address, which many may share
   * behind a proxy. @throws HttpError 401, or 429 when there were too many
   */
  async admit<Sender extends { caller: Caller }>(
    incoming: IncomingMessage,
    authenticate: () => Promise<Sender>,
  ): Promise<Sender> {
    const holder = this.#holderOf(incoming);
    this.#addresses.take(holder);
    const sender = await authenticate().catch((error: unknown) => {
      // Its sender may have hung up meanwhile, and nobody knows any more who he was.
      if (error instanceof HttpError && error.status === 401) this.#failedLogins.take(holder);
      throw error;
    });
    this.use(sender.caller.keyId);
    return sender;
  }

  /** @throws HttpError 429 */
  visit(incoming: IncomingMessage): void {
    this.#addresses.take(this.#holderOf(incoming));
  }

  /** @throws HttpError 429 */
  use(keyId: string): void {
    this.#keys.take(keyId);
  }

  /** @throws HttpError 429 */
  refuse(incoming: IncomingMessage): void {
    this.#failedLogins.take(this.#holderOf(incoming));
  }

  #holderOf(incoming: IncomingMessage): string {
    return holderOf(this.#proxies.clientOf(incoming) ?? "");
  }
}

/** How many buckets there are: a few megabytes. Further callers share one until others are full again. */
const MOST_BUCKETS = 10_000;
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
  readonly code: ErrorCode;
  readonly clock?: () => number;
}

/** Lets each of many do something so often: all at once, and then as the tokens come back. */
export class TokenBuckets {
  readonly #options: Required<BucketOptions>;
  /** Time at which each bucket is full again. A bucket that is absent is full. */
  readonly #fullAt = new Map<string | typeof SHARED, number>();

  #nextSweep = Number.NEGATIVE_INFINITY;

  constructor(options: BucketOptions) {
    this.#options = { clock: () => performance.now() / 1000, ...options };
  }

  /** @throws HttpError 429 when no token is left */
  take(name: string): void {
    const { perMinute, clock } = this.#options;
    if (perMinute === 0) return;
    const secondsEach = 60 / perMinute;
    const now = clock();
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
    const { perMinute, refusal, code } = this.#options;
    const seconds = Math.ceil(wait);
    const message = `${refusal}: at most ${perMinute} a minute; try again in ${seconds} s`;
    const headers = {
      "retry-after": String(seconds),
      "x-ratelimit-limit": String(perMinute),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000 + untilFull)),
    };
    return new HttpError(429, code, message, headers);
  }
}
