import type { IncomingMessage } from "node:http";
import type { Caller } from "../kernel/caller.ts";
import { type ClientAddresses, holderOf } from "./client-address.ts";
import { HttpError } from "./http-error.ts";
import type { ServiceLimits } from "./limits.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** How often requests may come: from an address, with a key, and with credentials that are refused. */
export class RateLimits {
  readonly #proxies: ClientAddresses;
  readonly #addresses: TokenBuckets;
  readonly #keys: TokenBuckets;
  readonly #failedLogins: TokenBuckets;

  constructor({ addressRate, keyRate, failedLoginRate }: ServiceLimits, proxies: ClientAddresses) {
    this.#proxies = proxies;
    this.#addresses = new TokenBuckets({
      perMinute: addressRate,
      refusal: "Too many requests from your address",
      limit: "address_rate",
    });
    this.#keys = new TokenBuckets({
      perMinute: keyRate,
      refusal: "Too many requests with this API key",
      limit: "key_rate",
    });
    this.#failedLogins = new TokenBuckets({
      perMinute: failedLoginRate,
      refusal: "Too many failed logins from your address",
      limit: "failed_login_rate",
    });
  }

  /**
   * Counts a request, and finds out who sent it.
   *
   * A right key is let in however many wrong ones came from its address, which many may share behind a proxy. Nobody
   * guesses a key of 256 random bits: what is kept low is the noise.
   *
   * @throws HttpError 401, or 429 when there were too many
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

  /**
   * Counts a request of which it is not known who sent it.
   *
   * @throws HttpError 429
   */
  visit(incoming: IncomingMessage): void {
    this.#addresses.take(this.#holderOf(incoming));
  }

  /**
   * Counts a request with a key.
   *
   * @throws HttpError 429
   */
  use(keyId: string): void {
    this.#keys.take(keyId);
  }

  /**
   * Counts a request whose key was refused.
   *
   * @throws HttpError 429
   */
  refuse(incoming: IncomingMessage): void {
    this.#failedLogins.take(this.#holderOf(incoming));
  }

  #holderOf(incoming: IncomingMessage): string {
    return holderOf(this.#proxies.clientOf(incoming) ?? "");
  }
}
