import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openStore, type Store } from "./store.ts";

/** The file in a data folder that holds the records. */
export function databaseFile(dataFolder: string): string {
  return join(dataFolder, "evidence.sqlite");
}

/** Opens the records of a data folder, which is created when it is not there. */
export async function openDataFolder(dataFolder: string): Promise<Store> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  return openStore(databaseFile(dataFolder));
}
