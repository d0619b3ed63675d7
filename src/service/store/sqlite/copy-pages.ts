import { readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { VERSION } from "../../../api/version.ts";
import { flushFile, flushFolder, makePrivateFile } from "../local-files.ts";
import { loadSqlite } from "./node-sqlite.ts";
import { openSqlite } from "./sqlite.ts";

/** Pages of 4 KiB: enough for the copy to be as fast as the disk. */
const PAGES_AT_A_TIME = 4_096;
const LOCK_TIMEOUT_MS = 15_000;

/**
 * Copies one snapshot to a new file without blocking writers. The read transaction keeps SQLite from starting over at
 * each write; meanwhile the log grows. @param onProgress receives page counts; if it throws, the copy ends
 */
export async function copyPages(
  file: string,
  copy: string,
  onProgress: (pages: { done: number; of: number }) => void,
): Promise<void> {
  const { DatabaseSync, backup } = loadSqlite();
  makePrivateFile(copy);
  const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
  try {
    // A transaction's snapshot is taken at its first read.
    database.exec("BEGIN; SELECT count(*) FROM sqlite_master");
    await backup(database, copy, {
      rate: PAGES_AT_A_TIME,
      progress: ({ totalPages, remainingPages }) =>
        onProgress({ done: totalPages - remainingPages, of: totalPages }),
    });
  } finally {
    database.close();
  }
}

/** Makes a closed database a single file. Without a log beside it, it can be read from a read-only folder. */
export async function makeOneFile(file: string): Promise<void> {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = DELETE");
  database.close();
  await flushFile(file);
}

const PREFIX = "evidence-before-";
const PARTIAL = ".sqlite.partial";

/** Copies a database into its own folder, replacing an earlier attempt. @returns `evidence-before-0.2.0.sqlite` */
export async function copyAside(file: string, lockTimeout: number): Promise<string> {
  const copy = join(dirname(file), `${PREFIX}${VERSION}.sqlite`);
  const partial = join(dirname(file), `${PREFIX}${VERSION}${PARTIAL}`);
  makePrivateFile(partial);
  const { database } = openSqlite(file, { readOnly: true, lockTimeout });
  try {
    await loadSqlite().backup(database, partial, { rate: PAGES_AT_A_TIME });
    await flushFile(partial);
    await rename(partial, copy);
    await flushFolder(dirname(copy));
  } catch (cause) {
    await rm(partial, { force: true });
    throw new Error(`The records in ${file} could not be copied before the upgrade: nothing was changed`, {
      cause,
    });
  } finally {
    database.close();
  }
  return copy;
}

export async function removePartialCopies(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    if (name.startsWith(PREFIX) && name.includes(PARTIAL)) {
      await rm(join(dirname(file), name), { force: true });
    }
  }
}
