import type { createLocalJWKSet, JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { Busy } from "../../kernel/errors.ts";

/** Seconds between refreshes. */
const FRESH_SECONDS = 10 * 60;
/** Seconds between requests to the issuer, however many tokens name unknown keys. */
const PAUSE_SECONDS = 60;
/** Seconds that keys stay valid while the issuer is down. */
const LAST_SECONDS = 24 * 60 * 60;

interface Parts {
  fetchKeys: () => Promise<JSONWebKeySet>;
  failed: (error: unknown) => void;
  local: typeof createLocalJWKSet;
  /** Unix seconds. */
  now: () => number;
}

/** The published keys of an issuer. */
export class IssuerKeys {
  readonly #parts: Parts;
  #known: { keys: JWTVerifyGetKey; since: number } | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Busy without keys, or jose's errors for an unknown key */
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
    throw new Busy(
      "auth.issuer_unavailable",
      "The keys of the token's issuer cannot be had just now: try again",
      PAUSE_SECONDS,
    );
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
        // Known keys stay valid.
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
