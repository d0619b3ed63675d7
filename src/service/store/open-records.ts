import type { Log } from "../kernel/log.ts";
import { databaseFile, openDataFolder } from "./data-folder.ts";
import type { StoreObserver } from "./observer.ts";
import type { openPostgres, PostgresOptions } from "./postgres/open-store.ts";
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
 * Opens the records that a service serves. Its data folder is its own, also where its records are elsewhere: what it is
 * receiving is there.
 *
 * @throws Error when it cannot serve them; then they are left alone
 */
export async function openRecords({ dataFolder, database, ...watch }: Records): Promise<Store> {
  // First, so that a service that is refused has changed nothing.
  const unlock = dataFolder === undefined ? () => {} : lockFolder(dataFolder, takenBy(dataFolder, database));
  try {
    const store = await (database === undefined
      ? openDataFolder(required(dataFolder), watch)
      : openDatabase({ ...database, ...watch }));
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

/** Most services need no server, and none of what speaks to one. */
async function openDatabase(options: Parameters<typeof openPostgres>[0]): Promise<Store> {
  return (await import("./postgres/open-store.ts")).openPostgres(options);
}

/** Opens records that another thread of the service has opened before. */
export async function openServedRecords({ dataFolder, database, ...watch }: Records): Promise<Store> {
  if (database === undefined) return openServedStore(databaseFile(required(dataFolder)), watch.observer);
  return openDatabase({ ...database, ...watch, asTheyAre: true });
}

function required(dataFolder: string | undefined): string {
  if (dataFolder === undefined) throw new Error("Records need a place: a data folder or a database");
  return dataFolder;
}
