import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "../local-files.ts";
import { isLockTimeout, loadSqlite } from "./node-sqlite.ts";

/** SQLite's lock ends with the process. @throws Error when another service has it, or the folder is read-only */
export function lockFolder(
  dataFolder: string,
  taken = `Another service is using ${dataFolder}`,
  name = "service.lock",
): () => void {
  const { DatabaseSync } = loadSqlite();
  const file = join(dataFolder, name);
  let lock: DatabaseSync | undefined;
  try {
    makePrivateFile(file);
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close();
    if (isLockTimeout(cause)) throw new Error(taken);
    throw new Error(`The folder ${dataFolder} is not writable`, { cause });
  }
  const held = lock;
  return () => held.close();
}
