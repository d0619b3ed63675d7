import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { VERSION } from "../../api/version.ts";
import { flushFile, flushFolder } from "../flush.ts";
import { loadSqlite } from "./node-sqlite.ts";
import { makePrivateFile } from "./private-file.ts";
import { openSqlite } from "./sqlite.ts";

/** Pages of 4 KiB: enough at a time that the copy is as fast as the disk. */
const PAGES_AT_A_TIME = 4_096;

/**
 * Copies a database to a file beside it, with what is still in its log. The copy is on the disk and whole when it has
 * its name.
 *
 * @returns the path of the copy: `evidence-before-0.2.0-2026-11-22T10-15-00Z.sqlite`
 */
export async function copyAside(file: string, lockTimeout: number): Promise<string> {
  const time = new Date().toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
  const copy = join(dirname(file), `evidence-before-${VERSION}-${time}.sqlite`);
  const partial = `${copy}.partial`;
  makePrivateFile(partial);
  const { database } = openSqlite(file, { readOnly: true, lockTimeout });
  try {
    await loadSqlite().backup(database, partial, { rate: PAGES_AT_A_TIME });
    await flushFile(partial);
    await rename(partial, copy);
    await flushFolder(dirname(copy));
  } catch (cause) {
    await rm(partial, { force: true });
    throw new Error(
      `The records in ${file} could not be copied aside before an upgrade: nothing was changed`,
      {
        cause,
      },
    );
  } finally {
    database.close();
  }
  return copy;
}
