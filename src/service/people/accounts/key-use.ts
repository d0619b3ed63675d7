import type { Store } from "../../store/store.ts";

/** A key's last use is known to this many seconds: most requests then write nothing about it. */
const PRECISION_SECONDS = 60;

/** Keeps when each key was last used. */
export interface KeyUse {
  /** Notes a use, in Unix seconds, without keeping the request waiting. */
  note(keyId: string, now: number): void;
}

export function trackKeyUse(store: Pick<Store, "write">): KeyUse {
  // One entry for each key of the service, of which there are few.
  const noted = new Map<string, number>();
  return {
    note(keyId, now) {
      const last = noted.get(keyId);
      // A clock that was set back is as good a reason to write as one that went on.
      if (last !== undefined && Math.abs(now - last) < PRECISION_SECONDS) return;
      noted.set(keyId, now);
      store
        .write((db) =>
          db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", keyId).execute(),
        )
        // A store that cannot be written fails the requests that need it; a time of use is not worth more.
        .catch(() => noted.delete(keyId));
    },
  };
}
