import type { Caller } from "../../kernel/caller.ts";
import type { Store } from "../../store/store.ts";

/** Precision of the last use, in seconds, so that most requests write nothing. */
const PRECISION_SECONDS = 60;

/** Maximum number of keys and sessions to remember. Forgetting one costs one write. */
const MOST_NOTED = 10_000;

export interface KeyUse {
  /** Records the use of a key or session without delaying the request. `now` is in Unix seconds. */
  note(key: Pick<Caller, "keyId" | "orgId" | "sessionId">, now: number): void;
}

export function trackKeyUse(store: Pick<Store, "write">): KeyUse {
  const noted = new Map<string, number>();
  return {
    note({ keyId, orgId, sessionId }, now) {
      const used = sessionId ?? keyId;
      const last = noted.get(used);
      // `abs` because the clock may be set back.
      if (last !== undefined && Math.abs(now - last) < PRECISION_SECONDS) return;
      if (noted.size >= MOST_NOTED) noted.clear();
      noted.set(used, now);
      store
        .write(
          async (db) => {
            await db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", keyId).execute();
            if (sessionId !== undefined)
              await db
                .updateTable("sessions")
                .set({ last_seen_at: now })
                .where("id", "=", sessionId)
                .execute();
          },
          { orgId },
        )
        // Ignored, because requests that need the store report the failure.
        .catch(() => noted.delete(used));
    },
  };
}
