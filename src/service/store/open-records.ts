import type { Log } from "../kernel/log.ts";
import { databaseFile, openDataFolder } from "./data-folder.ts";
import type { StoreObserver } from "./observer.ts";
import type { PostgresOptions } from "./postgres/open-store.ts";
import { lockFolder } from "./sqlite/folder-lock.ts";
import { openServedStore } from "./sqlite/open-store.ts";
import type { Store } from "./store.ts";

interface Records {
  /** Needed where no database is named. */
  dataFolder?: string;
  /** The database that keeps the records, in place of a file in the data folder. */
  database?: PostgresOptions;
  /** Takes an entry about an upgrade of the records. */
  log: Log;
  observer?: StoreObserver;
}

/**
 * Opens the records that a service serves, and keeps other services out of its data folder: it receives files there,
 * also where its records are in a database.
 *
 * @throws Error when it cannot serve them; then they are left alone
 */
export async function openRecords(records: Records): Promise<Store> {
  const { dataFolder, database } = records;
  // First, so that a service that is refused has changed nothing.
  const unlock = dataFolder === undefined ? () => {} : lockFolder(dataFolder, takenBy(dataFolder, database));
  try {
    const store = await openUnlocked(records);
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

function takenBy(dataFolder: string, database: PostgresOptions | undefined): string {
  const what = `Another service runs on ${dataFolder}`;
  return database === undefined ? what : `${what}: give each instance a --data of its own`;
}

async function openUnlocked({ dataFolder, database, ...watch }: Records): Promise<Store> {
  if (database === undefined) return openDataFolder(required(dataFolder), watch);
  // Most services need no server, and none of what speaks to one.
  const { openPostgres } = await import("./postgres/open-store.ts");
  return openPostgres({ ...database, ...watch });
}

/** Opens records that another thread of the service has opened before. */
export async function openServedRecords({ dataFolder, database, ...watch }: Records): Promise<Store> {
  if (database === undefined) return openServedStore(databaseFile(required(dataFolder)), watch.observer);
  const { openPostgres } = await import("./postgres/open-store.ts");
  return openPostgres({ ...database, ...watch, asTheyAre: true });
}

function required(dataFolder: string | undefined): string {
  if (dataFolder === undefined) throw new Error("Records need a place: a data folder or a database");
  return dataFolder;
}
