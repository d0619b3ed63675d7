import { chmodSync, closeSync, existsSync, openSync } from "node:fs";

const OWNER_ONLY = 0o600;

/**
 * Makes sure that a file is there and that its owner alone can read it. SQLite gives the log beside a database the
 * permissions of the database, so that it is enough to do this before the first write.
 */
export function makePrivateFile(path: string): void {
  // One that is there is never opened: to close it would let go of the locks that this process has on it.
  if (!existsSync(path)) closeSync(openSync(path, "a", OWNER_ONLY));
  chmodSync(path, OWNER_ONLY);
}

/** Makes those of some files that are there readable for their owner alone. */
export function makePrivate(paths: readonly string[]): void {
  for (const path of paths) if (existsSync(path)) chmodSync(path, OWNER_ONLY);
}
