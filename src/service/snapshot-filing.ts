import { fileOldestSnapshot } from "./environments/file-snapshot.ts";
import { newestUnfiled } from "./records/unfiled-snapshots.ts";
import type { Store } from "./store/store.ts";

/** After so long without a report nobody seems to be in a hurry. */
const QUIET_MS = 1_000;
/** Where reports never cease, filing waits no longer than this. */
const LATEST_MS = 10_000;

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
  let firstNoted: number | undefined;

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
      const now = performance.now();
      firstNoted ??= now;
      clearTimeout(later);
      const quiet = Math.min(QUIET_MS, firstNoted + LATEST_MS - now);
      later = setTimeout(() => {
        firstNoted = undefined;
        void settledOrNot();
      }, quiet).unref();
    },
    settled,
    async close() {
      clearTimeout(later);
      await settledOrNot();
    },
  };
}
