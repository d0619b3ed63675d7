import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Log } from "../../kernel/log.ts";
import { openOwnFolder, openPlace, type PlaceSettings } from "../../store/blobs/open-place.ts";
import { flushFolder, makeFolder, makePrivateFile } from "../../store/local-files.ts";
import { beginCopy } from "../../store/schema-version.ts";
import { makeOneFile } from "../../store/sqlite/copy-pages.ts";
import { databaseFile } from "../../store/sqlite/open-store.ts";
import { partialFile } from "../../store/sqlite/schema-version.ts";
import { openSqlite } from "../../store/sqlite/sqlite.ts";
import { type NewCopy, newIdentity, requireUnusedPlace } from "./new-copy.ts";
import { Opened } from "./opened.ts";

/** An unfinished copy has a marker in place of its records. */
export async function beginFolder(
  folder: string,
  attachmentsAt: PlaceSettings | undefined,
  log: Log,
): Promise<NewCopy> {
  requireOutside(folder);
  const names = await readdir(folder).catch(whyNot);
  if (names !== undefined && names.length > 0)
    throw new Error(`${folder} is not empty: choose an empty or a new folder`);
  await makeFolder(folder);
  const abandon = async () => {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    if (names === undefined) await rm(folder, { recursive: true });
  };
  await using opened = new Opened();
  // Undone unless the copy begins.
  opened.add(abandon);
  const unfinished = databaseFile(folder);
  await markUnfinished(unfinished);
  const scratch = join(folder, "incoming");
  await mkdir(scratch, { mode: 0o700 });
  const place = await (attachmentsAt ? openPlace(attachmentsAt, log) : openOwnFolder(folder));
  opened.add(place.close);
  await requireUnusedPlace(place);
  opened.keep();
  const file = partialFile(unfinished);
  return {
    name: folder,
    identity: newIdentity(),
    records: { file },
    place,
    scratch,
    async finish() {
      await makeOneFile(file);
      await rm(scratch, { recursive: true });
      await rename(file, unfinished);
      await flushFolder(folder);
    },
    abandon,
    [Symbol.asyncDispose]: place.close,
  };
}

/** A service removes unknown files in `incoming` of its data folder, and sweeps `files`. */
function requireOutside(folder: string): void {
  let path = resolve(folder);
  for (let above = dirname(path); above !== path; above = dirname(path)) {
    if (/^(?:incoming|files)$/.test(basename(path)) && existsSync(databaseFile(above))) {
      throw new Error(
        `${folder} is in the data folder ${above}, whose service removes files there: choose another folder`,
      );
    }
    path = above;
  }
}

/** Written elsewhere and then moved, so that the file never exists without the mark. */
async function markUnfinished(file: string): Promise<void> {
  const partial = partialFile(file);
  makePrivateFile(partial);
  const { database, queries } = openSqlite(partial, { lockTimeout: 0 });
  await beginCopy(queries);
  database.close();
  await rename(partial, file);
}

function whyNot(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
