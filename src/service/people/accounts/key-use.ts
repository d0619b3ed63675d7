import type { Caller } from "../../kernel/caller.ts";
import type { Store } from "../../store/store.ts";

/** Precision of the last use, in seconds, so that most requests write nothing. */
const PRECISION_SECONDS = 60;

export interface KeyUse {
  /** Records the use of a key without delaying the request. `now` is in Unix seconds. */
  note(key: Pick<Caller, "keyId" | "orgId">, now: number): void;
}

export function trackKeyUse(store: Pick<Store, "write">): KeyUse {
  // One entry for each key. There are few keys.
  const noted = new Map<string, number>();
  return {
    note({ keyId, orgId }, now) {
      const last = noted.get(keyId);
      // `abs` because the clock may be set back.
      if (last !== undefined && Math.abs(now - last) < PRECISION_SECONDS) return;
      noted.set(keyId, now);
      store
        .write(
          (db) => db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", keyId).execute(),
          { orgId },
        )
        // Ignored, because requests that need the store report the failure.
        .catch(() => noted.delete(keyId));
    },
  };
}
