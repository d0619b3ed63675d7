import type { Log } from "../kernel/log.ts";
import type { PostgresOptions } from "./postgres/open-store.ts";
import { lockFolder } from "./sqlite/folder-lock.ts";
import { databaseFile, openDataFolder, openServedStore } from "./sqlite/open-store.ts";
import type { Store, StoreObserver } from "./store.ts";

interface Records {
  dataFolder?: string | undefined;
  database?: PostgresOptions | undefined;
  log: Log;
  observer?: StoreObserver;
}

/** Also locks the data folder, which receives files even with a database. @throws Error when it cannot serve */
export async function openRecords(records: Records): Promise<Store> {
  const { dataFolder, database } = records;
  // First, so that a service that cannot start changes nothing.
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
  const what = `Another service is using ${dataFolder}`;
  return database === undefined ? what : `${what}: give each instance its own --data`;
}

async function openUnlocked({ dataFolder, database, ...watch }: Records): Promise<Store> {
  if (database === undefined) return openDataFolder(required(dataFolder), watch);
  // Loaded on demand, because most services use no server.
  const { openPostgres } = await import("./postgres/open-store.ts");
  return openPostgres({ ...database, ...watch });
}

export async function openServedRecords({ dataFolder, database, ...watch }: Records): Promise<Store> {
  if (database === undefined) return openServedStore(databaseFile(required(dataFolder)), watch.observer);
  const { openPostgres } = await import("./postgres/open-store.ts");
  return openPostgres({ ...database, ...watch, skipUpgrade: true });
}

function required(dataFolder: string | undefined): string {
  if (dataFolder === undefined) throw new Error("Records need a data folder or a database");
  return dataFolder;
}
