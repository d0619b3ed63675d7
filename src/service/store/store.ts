import { groupCommit, type Write } from "./group-commit.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite.ts";
import type { Database } from "./tables.ts";

/** Where the records are kept. */
export interface Store {
  /** For single queries. Several that must agree with each other belong in `readTogether`. */
  readonly read: Database;
  /** Runs queries that see one and the same moment. */
  readTogether<T>(queries: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Runs a write in a transaction and resolves when it is safe on the disk. When `work` throws, nothing of it is
   * kept. `work` awaits only queries on its `db`: everyone else's writes wait for it.
   */
  write<T>(work: Write<T>): Promise<T>;
  /** Finishes the writes under way, then closes the files. */
  close(): Promise<void>;
}

/** The command line holds the write lock for milliseconds. The event loop stands still while it is waited for. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Opens the records in a SQLite file, which is created or brought up to date as needed.
 *
 * @param lockTimeout how long to wait for another process that writes, in milliseconds
 */
export async function openStore(file: string, lockTimeout = LOCK_TIMEOUT_MS): Promise<Store> {
  const writer = openSqlite(file, { lockTimeout });
  await migrate(writer);
  const reader = openSqlite(file, { readOnly: true, lockTimeout });
  const { write, drained } = groupCommit(writer);
  return {
    read: reader.queries,
    readTogether: (queries) => reader.queries.transaction().execute(queries),
    write,
    async close() {
      await drained();
      reader.database.close();
      writer.database.close();
    },
  };
}
