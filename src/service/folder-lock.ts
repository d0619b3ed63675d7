import { join } from "node:path";
import { loadSqlite } from "./store/node-sqlite.ts";

/**
 * Makes sure that one service at a time serves a data folder: another one would take the files that the first is
 * receiving for left-overs. The lock is SQLite's, so the system lets go of it however the process ends.
 *
 * @returns how to let go of it
 * @throws Error when another service holds it
 */
export function lockFolder(dataFolder: string): () => void {
  const { DatabaseSync } = loadSqlite();
  const lock = new DatabaseSync(join(dataFolder, "service.lock"), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    throw new Error(`Another service runs on ${dataFolder}`, { cause });
  }
  return () => lock.close();
}
