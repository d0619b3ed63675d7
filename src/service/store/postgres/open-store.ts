import { VERSION } from "../../../api/version.ts";
import { writeNothing } from "../dialect.ts";
import type { Store } from "../store.ts";
import { type DatabaseAddress, isPooled } from "./address.ts";
import { openPool, queriesIn } from "./connections.ts";
import { bringUpToDate } from "./migrate.ts";
import type { Migrate } from "./migrate-modes.ts";
import { queueWrites } from "./write-queue.ts";

export interface PostgresOptions extends DatabaseAddress {
  /** The most connections that queries may take, besides the one that writes. */
  pool?: number;
  /** What to do about tables of an older version. */
  migrate?: Migrate;
  /** Takes a line about an upgrade of the records. */
  log?: (line: string) => void;
}

/**
 * Opens the records in a PostgreSQL database, whose tables are made or brought up to date as `migrate` says.
 *
 * @throws Error when it cannot be reached, or this version cannot work on its tables; they are left alone
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { pool: connections = 10, migrate = "auto", log = () => {} } = options;
  const name = `delivery-evidence ${VERSION}`;
  const writers = openPool(options, { max: 1, name });
  const readers = openPool(options, { max: connections, name });
  const close = async () => {
    await Promise.all([writers.end(), readers.end()]);
  };
  const preparing = { prepare: !isPooled(options) };
  try {
    await bringUpToDate(writers, { migrate, log, address: options });
  } catch (error) {
    await close();
    throw error;
  }
  const read = queriesIn(readers, preparing);
  const { write, committedAt, drained } = queueWrites(writers, preparing);
  return {
    read,
    readTogether: (queries) =>
      read.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(queries),
    write,
    committedAt,
    async checkWritable() {
      await write(writeNothing);
    },
    async close() {
      await drained();
      await close();
    },
  };
}
