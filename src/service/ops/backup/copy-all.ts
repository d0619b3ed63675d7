import { eventRow } from "../../events/digest.ts";
import type { EventData } from "../../events/types/event-types.ts";
import { repairSearch } from "../../evidence/search/index/differences.ts";
import { EMPTY_IN_COPIES } from "../../store/copy/copied-tables.ts";
import {
  type CopiedRecords,
  copyRecords,
  countRecords,
  type EmptyTables,
  type OnProgress,
} from "../../store/copy/copy-records.ts";
import { type FormerTrailEvent, formerTrailEvents } from "../../store/copy/former-records.ts";
import { replaceIdentity } from "../../store/database-identity.ts";
import { insertRows } from "../../store/dialect.ts";
import { copyPages } from "../../store/sqlite/copy-pages.ts";
import { openStore } from "../../store/sqlite/open-store.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import { type CopiedFiles, copyFiles } from "./copy-files.ts";
import type { NewCopy } from "./new-copy.ts";
import type { Original } from "./original.ts";

export interface Copied {
  readonly records: CopiedRecords;
  readonly files: CopiedFiles;
}

/** Safe while a service runs: files are copied before records, and unreferenced files remain for a day. */
export async function copyAll(
  original: Original,
  copy: NewCopy,
  {
    onProgress,
    beforeFinish = async () => {},
  }: { onProgress: OnProgress; beforeFinish?: () => Promise<void> },
): Promise<Copied> {
  try {
    const { store, records } = await takeRecords(original, copy, onProgress);
    let files: CopiedFiles;
    try {
      await store.write((db) => replaceOriginal(db, copy));
      const { place: to, scratch } = copy;
      files = await copyFiles(store.read, { from: original.place, to, scratch, onProgress });
    } finally {
      if ("file" in copy.records) await store.close();
    }
    await beforeFinish();
    await claimPlace(copy);
    await copy.finish();
    return { records, files };
  } catch (error) {
    await copy.abandon();
    throw error;
  }
}

async function takeRecords(
  original: Original,
  copy: NewCopy,
  onProgress: OnProgress,
): Promise<{ store: Store; records: CopiedRecords }> {
  const { former } = original;
  const copyInto = async (store: EmptyTables) => {
    const from = former?.records ?? original.records();
    const copied = await copyRecords(from, store, { onProgress, tables: former?.tables });
    if (former !== undefined) {
      await carryTrailEvents(from, store);
      await repairSearch(store);
    }
    return copied;
  };
  if ("store" in copy.records) {
    const { store } = copy.records;
    return { store, records: await copyInto(store) };
  }
  const { file } = copy.records;
  const pages = former === undefined ? original.file : undefined;
  if (pages !== undefined) {
    await copyPages(pages, file, (done) => onProgress({ step: "copying records", ...done }));
  }
  // Upgrades the pages of an older version.
  const store = await openStore(file);
  try {
    const records = pages === undefined ? await copyInto(store) : await countRecords(store);
    return { store, records };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Gives the copy its own identity, and removes the original's place and instances. */
async function replaceOriginal(db: Database, { identity }: NewCopy): Promise<void> {
  await replaceIdentity(db, identity);
  for (const table of EMPTY_IN_COPIES) await db.deleteFrom(table).execute();
}

/** Writes the owner of the attachments into the place. */
async function claimPlace({ place, identity }: NewCopy): Promise<void> {
  const owner = { database: identity.id, place: identity.placeId };
  const taken = await place.owner.take(owner);
  if (taken.database === owner.database && taken.place === owner.place) return;
  throw new Error(`Another database has started to use ${place.name}. Copy again to an unused location.`);
}

const EVENTS_AT_ONCE = 1_000;

/** Records each trail event from before the baseline as a carried-over event, in order. */
async function carryTrailEvents(from: Pick<Store, "readTogether">, to: Pick<Store, "write">): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await from.readTogether((db) =>
      formerTrailEvents(db, { after: last, limit: EVENTS_AT_ONCE }),
    );
    await to.write((db) => insertRows(db, "events", rows.map(carried)));
    if (rows.length < EVENTS_AT_ONCE) return;
    last = rows.at(-1)?.sequence ?? last;
  }
}

function carried({ org_id, trail_id, trail, created_at, details, ...event }: FormerTrailEvent) {
  const { flow_id, type, git_commit_info, repo_id } = event;
  const data: EventData<"trail.carried_over"> = { flow_id, git_commit_info, repo_id, type, details };
  const fields = {
    org_id,
    type: "trail.carried_over",
    at: created_at,
    by: String(JSON.parse(details).setting_user_id ?? ""),
    by_id: null,
    subject_id: trail_id,
    subject_name: trail,
    trail_id,
  };
  return eventRow(fields, data);
}
