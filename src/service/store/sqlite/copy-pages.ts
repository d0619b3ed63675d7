import { flushFile } from "../flush.ts";
import { makePrivateFile } from "../private-file.ts";
import { loadSqlite } from "./node-sqlite.ts";

/** Pages of 4 KiB: enough at a time that the copy is as fast as the disk. */
const PAGES_AT_A_TIME = 4_096;
const LOCK_TIMEOUT_MS = 15_000;

/**
 * Copies a database, as it is at one moment, to a file that is not there. Writers are not held up: the moment is that
 * of a transaction that reads, without which each write of others would make SQLite begin the copy again. Meanwhile
 * what they write stays in the log beside the file, which grows by it.
 *
 * @param onProgress is given numbers of pages; when it throws, the copy ends
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
    // A transaction has its moment from the first time that it reads.
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

/** Makes one file of a database that nobody has open: without a log beside it, it can be read where nothing can be written. */
export async function makeOneFile(file: string): Promise<void> {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = DELETE");
  database.close();
  await flushFile(file);
}
