import { fileOldestSnapshot } from "./environments/file-snapshot.ts";
import { newestUnfiled } from "./records/unfiled-snapshots.ts";
import type { Store } from "./store/store.ts";

/** Long enough that another report that comes at once need not wait, short enough that few who look ever do. */
const FILE_AFTER_MS = 250;

/** Sees to it that the snapshots that were reported are filed before anyone looks for them. */
export interface SnapshotFiling {
  /** Notes that a snapshot waits to be filed. */
  note(): void;
  /** Resolves when every snapshot is filed that was noted before, or that an earlier run left. */
  settled(): Promise<void>;
  /** Files what waits. What cannot be filed waits for the next run. */
  close(): Promise<void>;
}

export function trackFiling(store: Pick<Store, "write">): SnapshotFiling {
  let waiting = true;
  let filing: Promise<void> | undefined;
  let later: NodeJS.Timeout | undefined;

  /** Files what waits now, and no more: nobody waits for those who come after. */
  async function fileWaiting(): Promise<void> {
    waiting = false;
    try {
      const newest = await store.write(newestUnfiled);
      // One at a time, so that other writes come between.
      while (newest !== null && (await store.write((db) => fileOldestSnapshot(db, newest))));
    } catch (error) {
      waiting = true;
      throw error;
    } finally {
      filing = undefined;
    }
  }

  function settled(): Promise<void> {
    if (filing !== undefined) return waiting ? filing.then(settled) : filing;
    if (!waiting) return Promise.resolve();
    filing = fileWaiting();
    return filing;
  }

  // A store that cannot be written fails the next request that needs it; here is nobody to tell.
  const settledOrNot = () => settled().catch(() => undefined);

  return {
    note() {
      waiting = true;
      later ??= setTimeout(() => {
        later = undefined;
        void settledOrNot();
      }, FILE_AFTER_MS).unref();
    },
    settled,
    async close() {
      clearTimeout(later);
      await settledOrNot();
    },
  };
}
