import type { CredentialSource, Credentials } from "../credentials.ts";

/** Credentials are renewed when they end within this time, in ms: longer than any upload takes. */
const RENEWED_BEFORE_MS = 5 * 60 * 1000;

export interface KeptCredentials {
  /** Credentials that hold for some time yet. */
  current(): Promise<Credentials>;
  /** Does not use these any more: they were refused as too old. */
  drop(refused: Credentials): void;
}

/** Keeps credentials until shortly before their end. Those who need new ones at the same time wait for one renewal. */
export function keepCredentials(source: CredentialSource, now: () => number = Date.now): KeptCredentials {
  let kept: Credentials | undefined;
  let renewal: Promise<Credentials> | undefined;

  function renew(): Promise<Credentials> {
    renewal ??= source()
      .then((credentials) => {
        kept = credentials;
        return credentials;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  const left = ({ expiresAt }: Credentials) => (expiresAt ?? Number.POSITIVE_INFINITY) - now();

  return {
    async current() {
      const known = kept;
      if (known && left(known) > RENEWED_BEFORE_MS) return known;
      try {
        return await renew();
      } catch (error) {
        if (known && left(known) > 0) return known;
        throw error;
      }
    },
    drop(refused) {
      if (kept === refused) kept = undefined;
    },
  };
}
