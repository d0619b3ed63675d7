import { EMPTY_IN_COPIES } from "../../store/copy/copied-tables.ts";
import {
  type CopiedRecords,
  copyRecords,
  countRecords,
  type OnProgress,
} from "../../store/copy/copy-records.ts";
import { replaceIdentity } from "../../store/database-identity.ts";
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

/**
 * Copies records, as they are at one moment, and then the files that they name. The order is safe while a service
 * works on the original: a file is there before a record names it, nothing removes the records of attachments, and a
 * file that no record names is not removed for a day.
 *
 * @param beforeFinish may refuse to have the copy finished
 */
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
      await store.write((db) => makeOwn(db, copy));
      const { place: to, scratch } = copy;
      files = await copyFiles(store.read, { from: original.place, to, scratch, onProgress });
    } finally {
      if ("file" in copy.records) await store.close();
    }
    await beforeFinish();
    await takePlace(copy);
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
  if ("store" in copy.records) {
    const { store } = copy.records;
    return { store, records: await copyRecords(original.records(), store, onProgress) };
  }
  const { file } = copy.records;
  if (original.file !== undefined) {
    await copyPages(original.file, file, (pages) => onProgress({ step: "copying records", ...pages }));
  }
  // Pages of an older version are brought up to date here.
  const store = await openStore(file);
  try {
    const records =
      original.file === undefined
        ? await copyRecords(original.records(), store, onProgress)
        : await countRecords(store.read);
    return { store, records };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Gives the copy an identity of its own, and takes out what was said of the original's place and instances. */
async function makeOwn(db: Database, { identity }: NewCopy): Promise<void> {
  await replaceIdentity(db, identity);
  for (const table of EMPTY_IN_COPIES) await db.deleteFrom(table).execute();
}

/** Says at the place whose attachments it holds. */
async function takePlace({ place, identity }: NewCopy): Promise<void> {
  const owner = { database: identity.id, place: identity.placeId };
  const taken = await place.owner.take(owner);
  if (taken.database === owner.database && taken.place === owner.place) return;
  throw new Error(
    `${place.name} was taken by another database meanwhile: copy again to a place that is nobody's`,
  );
}
