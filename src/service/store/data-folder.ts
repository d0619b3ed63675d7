import { mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { openStore, type StoreOptions } from "./sqlite/open-store.ts";
import type { Store } from "./store.ts";

/** The file in a data folder that holds the records. */
export function databaseFile(dataFolder: string): string {
  return join(dataFolder, "evidence.sqlite");
}

/** Opens the records of a data folder that is there. */
export async function openDataFolder(dataFolder: string, options: StoreOptions = {}): Promise<Store> {
  return openStore(databaseFile(dataFolder), options);
}

/**
 * Makes a data folder unless it is there.
 *
 * @throws Error when there is none and none can be made
 */
export async function makeDataFolder(dataFolder: string): Promise<void> {
  try {
    await makeFolder(resolve(dataFolder));
  } catch (cause) {
    throw new Error(`The folder ${dataFolder} cannot be made`, { cause });
  }
  if (!(await stat(dataFolder)).isDirectory()) throw new Error(`${dataFolder} is not a folder`);
}

/** Node's own way to make the folders above as well never ends in `/proc`, where none can be made. */
async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { mode: 0o700 }).then(() => true, whyNot);
  if (made || path === dirname(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 });
}

/** Whether a folder was there already; false when the one above it is missing. */
function whyNot(error: NodeJS.ErrnoException): boolean {
  if (error.code === "EEXIST") return true;
  if (error.code === "ENOENT") return false;
  throw error;
}
