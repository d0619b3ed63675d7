import { readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { VERSION } from "../../../api/version.ts";
import { flushFile, flushFolder } from "../flush.ts";
import { makePrivateFile } from "../private-file.ts";
import { loadSqlite } from "./node-sqlite.ts";
import { openSqlite } from "./sqlite.ts";

/** Pages of 4 KiB: enough at a time that the copy is as fast as the disk. */
const PAGES_AT_A_TIME = 4_096;

const PREFIX = "evidence-before-";
const PARTIAL = ".sqlite.partial";

/**
 * Copies a database to a file beside it, with what is still in its log. The copy is on the disk and whole when it has
 * its name. One that an earlier start of the same version made is replaced: an upgrade that fails changes nothing, so
 * however often it is tried, one copy is enough.
 *
 * @returns the path of the copy: `evidence-before-0.2.0.sqlite`
 */
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

/** Removes what is left of copies that were cut off, of whatever version. */
export async function removePartialCopies(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    if (name.startsWith(PREFIX) && name.includes(PARTIAL)) {
      await rm(join(dirname(file), name), { force: true });
    }
  }
}
