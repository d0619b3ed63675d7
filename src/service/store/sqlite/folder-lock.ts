import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "../private-file.ts";
import { isLockTimeout } from "./lock-timeout.ts";
import { loadSqlite } from "./node-sqlite.ts";

/**
 * Makes sure that one service at a time serves a data folder: another one would take the files that the first is
 * receiving for left-overs, and a newer one would change the tables under it. The lock is SQLite's, so the system
 * lets go of it however the process ends.
 *
 * @param taken what to say when it is held
 * @returns how to let go of it
 * @throws Error when another service holds it, or the folder cannot be written
 */
export function lockFolder(dataFolder: string, taken = `Another service runs on ${dataFolder}`): () => void {
  const { DatabaseSync } = loadSqlite();
  const file = join(dataFolder, "service.lock");
  let lock: DatabaseSync | undefined;
  try {
    makePrivateFile(file);
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close();
    if (isLockTimeout(cause)) throw new Error(taken);
    throw new Error(`The folder ${dataFolder} cannot be written`, { cause });
  }
  const held = lock;
  return () => held.close();
}
