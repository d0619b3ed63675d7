import type { createLocalJWKSet, JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { Busy } from "../../kernel/errors.ts";

/** Seconds between refreshes. */
const FRESH_SECONDS = 10 * 60;
/** Minimum seconds between requests to the issuer, even if tokens name unknown keys. */
const PAUSE_SECONDS = 60;
/** Seconds for which keys stay valid while the issuer is down. */
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
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Busy if there are no keys, or jose's errors for an unknown key */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const { now } = this.#parts;
    if (this.#known === undefined || now() - this.#known.since > FRESH_SECONDS) await this.#refresh();
    try {
      return await this.#keys()(header, token);
    } catch (error) {
      if (!isUnknownKey(error) || !(await this.#refresh())) throw error;
      return await this.#keys()(header, token);
    }
  };

  #keys(): JWTVerifyGetKey {
    const { now } = this.#parts;
    if (this.#known !== undefined && now() - this.#known.since <= LAST_SECONDS) return this.#known.keys;
    throw new Busy(
      "auth.issuer_unavailable",
      "The keys of the token's issuer are temporarily unavailable: try again later",
      PAUSE_SECONDS,
    );
  }

  /** Returns whether a request was sent to the issuer. */
  async #refresh(): Promise<boolean> {
    const { now, fetchKeys, failed, local } = this.#parts;
    if (this.#fetching === undefined) {
      if (now() - this.#fetchedAt < PAUSE_SECONDS) return false;
      this.#fetchedAt = now();
      this.#fetching = fetchKeys()
        .then((keys) => {
          this.#known = { keys: local(keys), since: now() };
        })
        // Known keys stay valid.
        .catch(failed);
    }
    await this.#fetching;
    this.#fetching = undefined;
    return true;
  }
}

function isUnknownKey(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_JWKS_NO_MATCHING_KEY";
}
