import type { Caller } from "../../kernel/caller.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";

/** Precision of the last use, in seconds, so that most requests write nothing. */
const PRECISION_SECONDS = 60;

/** Maximum number of keys, sessions and webhooks to remember. Forgetting one costs one write. */
const MOST_NOTED = 10_000;

/** Records the last use without delaying the request. `now` is in Unix seconds. */
export interface KeyUse {
  note(key: Pick<Caller, "keyId" | "orgId" | "sessionId">, now: number): void;
  noteWebhook(webhook: { readonly id: string; readonly orgId: string }, now: number): void;
}

export function trackKeyUse(store: Pick<Store, "write">): KeyUse {
  const noted = new Map<string, number>();
  const noteOnce = (
    used: { readonly id: string; readonly orgId: string },
    now: number,
    write: (db: Database) => Promise<unknown>,
  ) => {
    const last = noted.get(used.id);
    // `abs` because the clock may be set back.
    if (last !== undefined && Math.abs(now - last) < PRECISION_SECONDS) return;
    if (noted.size >= MOST_NOTED) noted.clear();
    noted.set(used.id, now);
    store
      .write(write, { orgId: used.orgId })
      // Ignored, because requests that need the store report the failure.
      .catch(() => noted.delete(used.id));
  };
  return {
    note({ keyId, orgId, sessionId }, now) {
      noteOnce({ id: sessionId ?? keyId, orgId }, now, async (db) => {
        await db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", keyId).execute();
        if (sessionId !== undefined)
          await db.updateTable("sessions").set({ last_seen_at: now }).where("id", "=", sessionId).execute();
      });
    },
    noteWebhook({ id, orgId }, now) {
      noteOnce({ id, orgId }, now, (db) =>
        db.updateTable("admission_webhooks").set({ last_used_at: now }).where("id", "=", id).execute(),
      );
    },
  };
}
