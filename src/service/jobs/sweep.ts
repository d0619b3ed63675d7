import { letOthersIn } from "../kernel/slices.ts";
import type { Attachments } from "../store/blobs/attachments.ts";
import type { Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import type { Job } from "./jobs.ts";

/** Longer than any submission takes: what was brought since then may be about to be recorded. */
const STRAY_AFTER_MS = 24 * 60 * 60 * 1000;
/** Few enough that nobody waits for them. */
const ROWS_PER_QUERY = 1_000;

interface Kept {
  attachments: Attachments;
  store: Store;
}

/** Removes stray files once, after a start: it is an earlier run that left them. */
export function sweep(kept: Kept): Job {
  return {
    name: "sweep",
    failure: "Files that no record names could not be removed",
    run: (stop) => sweepStrayFiles(kept, stop),
  };
}

/**
 * Removes the files that no record names: what a run left that ended between keeping a file and recording it. Files
 * younger than a day stay.
 */
export async function sweepStrayFiles({ attachments, store }: Kept, stop: AbortSignal): Promise<void> {
  const time = Date.now() - STRAY_AFTER_MS;
  // Listed before the records are read: what is recorded later was brought later, and is too young to be removed.
  const unnamed = new Set<string>();
  for await (const names of attachments.kept()) {
    if (stop.aborted) return;
    for (const name of names) unnamed.add(name);
  }
  if (unnamed.size === 0) return;
  for await (const named of filesOfRecords(store.read)) {
    if (stop.aborted) return;
    for (const name of named) unnamed.delete(name);
  }
  for (const name of unnamed) {
    if (stop.aborted) return;
    attachments.removeIfOlder(name, time);
    await letOthersIn();
  }
}

/** The files that records name, a part at a time. Some come twice. */
async function* filesOfRecords(db: Database): AsyncGenerator<string[]> {
  let last = "";
  for (;;) {
    const rows = await db
      .selectFrom("attachments")
      .select(["attestation_id", "sha256"])
      // Those of the last attestation may have been cut off.
      .where("attestation_id", ">=", last)
      .orderBy("attestation_id")
      .orderBy("position")
      .limit(ROWS_PER_QUERY)
      .execute();
    yield rows.map(({ sha256 }) => sha256);
    if (rows.length < ROWS_PER_QUERY) return;
    last = rows.at(-1)?.attestation_id ?? "";
    await letOthersIn();
  }
}
