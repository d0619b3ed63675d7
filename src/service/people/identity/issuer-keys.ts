import type { createLocalJWKSet, JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { Busy } from "../../kernel/errors.ts";

/** Keys are asked for again so often, in seconds, when all goes well. */
const FRESH_SECONDS = 10 * 60;
/** However many tokens name a key that is not known, the issuer is asked so often at most. */
const PAUSE_SECONDS = 60;
/** While an issuer cannot be reached, its keys are good for so long. */
const LAST_SECONDS = 24 * 60 * 60;

interface Parts {
  /** Asks the issuer. */
  fetchKeys: () => Promise<JSONWebKeySet>;
  /** Is told why the issuer gave none. */
  failed: (error: unknown) => void;
  local: typeof createLocalJWKSet;
  /** Unix seconds. */
  now: () => number;
}

/** The keys that an issuer publishes. They outlast it for a day. */
export class IssuerKeys {
  readonly #parts: Parts;
  #known: { keys: JWTVerifyGetKey; since: number } | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Busy when they cannot be had, or jose's errors for a key that is not among them */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const { now } = this.#parts;
    if (this.#known === undefined || now() - this.#known.since > FRESH_SECONDS) await this.#ask();
    try {
      return await this.#keys()(header, token);
    } catch (error) {
      if (!isUnknownKey(error) || !(await this.#ask())) throw error;
      return await this.#keys()(header, token);
    }
  };

  #keys(): JWTVerifyGetKey {
    const { now } = this.#parts;
    if (this.#known !== undefined && now() - this.#known.since <= LAST_SECONDS) return this.#known.keys;
    throw new Busy("The keys of the token's issuer cannot be had just now: try again", PAUSE_SECONDS);
  }

  /** Returns whether the issuer was asked. */
  async #ask(): Promise<boolean> {
    const { now, fetchKeys, failed, local } = this.#parts;
    if (this.#asking === undefined) {
      if (now() - this.#askedAt < PAUSE_SECONDS) return false;
      this.#askedAt = now();
      this.#asking = fetchKeys()
        .then((keys) => {
          this.#known = { keys: local(keys), since: now() };
        })
        // What is known of before still is.
        .catch(failed);
    }
    await this.#asking;
    this.#asking = undefined;
    return true;
  }
}

function isUnknownKey(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_JWKS_NO_MATCHING_KEY";
}
