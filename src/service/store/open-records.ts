import type { Log } from "../kernel/log.ts";
import { openDataFolder } from "./data-folder.ts";
import type { StoreObserver } from "./observer.ts";
import type { PostgresOptions } from "./postgres/open-store.ts";
import { lockFolder } from "./sqlite/folder-lock.ts";
import type { Store } from "./store.ts";

interface Records {
  dataFolder: string;
  /** The database that keeps the records, in place of a file in the data folder. */
  database?: PostgresOptions;
  /** Takes an entry about an upgrade of the records. */
  log: Log;
  observer?: StoreObserver;
}

/**
 * Opens the records that a service serves.
 *
 * @throws Error when it cannot serve them; then they are left alone
 */
export async function openRecords({ dataFolder, database, log, observer }: Records): Promise<Store> {
  const watch = { log, ...(observer === undefined ? {} : { observer }) };
  if (database !== undefined) {
    // Most services need no server, and none of what speaks to one.
    const { openPostgres } = await import("./postgres/open-store.ts");
    return openPostgres({ ...database, ...watch });
  }
  // First, so that a service that is refused has changed nothing.
  const unlock = lockFolder(dataFolder);
  try {
    const store = await openDataFolder(dataFolder, watch);
    return {
      ...store,
      async close() {
        await store.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
