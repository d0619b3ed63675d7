import type { IncomingMessage } from "node:http";
import type { ErrorCode } from "../../api/error-codes.ts";
import type { Caller } from "../kernel/caller.ts";
import { addressGroupOf, type ClientAddresses } from "./client-address.ts";
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
   * Admits a valid key regardless of invalid ones from its address, because many clients may share
   * an address behind a proxy. @throws HttpError 401, or 429 after too many failures
   */
  async admit<Sender extends { caller: Pick<Caller, "keyId"> }>(
    incoming: IncomingMessage,
    authenticate: () => Promise<Sender>,
  ): Promise<Sender> {
    const group = this.#addressGroupOf(incoming);
    this.#addresses.take(group);
    const sender = await authenticate().catch((error: unknown) => {
      // The socket may be closed by now, so its address would be unknown.
      if (error instanceof HttpError && error.status === 401) this.#failedLogins.take(group);
      throw error;
    });
    this.use(sender.caller.keyId);
    return sender;
  }

  /** @throws HttpError 429 */
  visit(incoming: IncomingMessage): void {
    this.#addresses.take(this.#addressGroupOf(incoming));
  }

  /** @throws HttpError 429 */
  use(keyId: string): void {
    this.#keys.take(keyId);
  }

  /** @throws HttpError 429 */
  refuse(incoming: IncomingMessage): void {
    this.#failedLogins.take(this.#addressGroupOf(incoming));
  }

  #addressGroupOf(incoming: IncomingMessage): string {
    return addressGroupOf(this.#proxies.clientOf(incoming) ?? "");
  }
}

/** Maximum number of buckets, a few megabytes. Further callers share one until others are full again. */
const MAX_BUCKETS = 10_000;
const SHARED = Symbol("shared");

/** Minimum time between sweeps. Sweeping with each request would take longer than the request. */
const SWEEP_SECONDS = 1;

/** Tolerance for sums of fractions, in seconds. */
const ROUNDING = 1e-6;

interface BucketOptions {
  /** Tokens per bucket, and tokens added per minute. 0 means no limit. */
  readonly perMinute: number;
  /** The refused action, for the message: `Too many requests with this API key`. */
  readonly refusal: string;
  readonly code: ErrorCode;
  readonly clock?: () => number;
}

/** Token buckets by name. Each allows a burst, and then refills at its rate. */
export class TokenBuckets {
  readonly #options: Required<BucketOptions>;
  /** Time at which each bucket is full again. An absent bucket is full. */
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
    const group = this.#bucketOf(name, now);
    const fullAt = Math.max(now, this.#fullAt.get(group) ?? now) + secondsEach;
    // An empty bucket is full again after a minute.
    const wait = fullAt - now - 60;
    if (wait > ROUNDING) throw this.#tooMany(wait, fullAt - now);
    this.#fullAt.set(group, fullAt);
  }

  #bucketOf(name: string, now: number): string | typeof SHARED {
    if (this.#fullAt.has(name) || this.#fullAt.size < MAX_BUCKETS) return name;
    if (now >= this.#nextSweep) {
      for (const [other, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(other);
      this.#nextSweep = now + SWEEP_SECONDS;
    }
    return this.#fullAt.size < MAX_BUCKETS ? name : SHARED;
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
