import { letOthersIn } from "../kernel/slices.ts";
import type { Store } from "../store/store.ts";
import { KEY_WINDOW_SECONDS } from "./idempotency.ts";

/** Few enough that no request waits for them to be removed. */
const AT_ONCE = 1_000;

interface Kept {
  store: Pick<Store, "read" | "write">;
  /** The time, in Unix seconds. */
  now: () => number;
}

/** Removes the answers that are too old to be given again. */
export async function removeOldAnswers({ store, now }: Kept, stop: AbortSignal): Promise<void> {
  const expired = now() - KEY_WINDOW_SECONDS;
  while (!stop.aborted) {
    const oldest = await store.read
      .selectFrom("answered_requests")
      .select("answered_at")
      .where("answered_at", "<", expired)
      .orderBy("answered_at")
      .limit(AT_ONCE)
      .execute();
    const last = oldest.at(-1);
    if (!last) return;
    await store.write((db) =>
      db.deleteFrom("answered_requests").where("answered_at", "<=", last.answered_at).execute(),
    );
    await letOthersIn();
  }
}
