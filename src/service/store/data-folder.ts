import { join } from "node:path";
import { openStore, type StoreOptions } from "./sqlite/open-store.ts";
import type { Store } from "./store.ts";

/** The file in a data folder that holds the records. */
export function databaseFile(dataFolder: string): string {
  return join(dataFolder, "evidence.sqlite");
}

/** Opens the records of a data folder that is there. */
export async function openDataFolder(dataFolder: string, options: StoreOptions = {}): Promise<Store> {
  return openStore(databaseFile(dataFolder), options);
}
