import { existsSync } from "node:fs";
import type { Store } from "../service/store/store.ts";
import { DATABASE_OPTIONS, databaseFrom } from "./database-options.ts";
import { type Environment, given, UsageError } from "./usage.ts";

/*
 * The records of a service, for the commands that work on them beside it. A service makes them, no other command does.
 */

/** The options that say which records are meant, as `serve` has them. */
export const RECORDS_OPTIONS = { data: { type: "string" }, ...DATABASE_OPTIONS } as const;

export type RecordsOptions = { readonly [Name in keyof typeof RECORDS_OPTIONS]?: string | undefined };

/** Opens the records to write to them, and closes them after the work. */
export async function withStore<T>(
  options: RecordsOptions,
  environment: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = (await inDatabase(options, environment)) ?? (await inFolder(options, environment));
  return work(store).finally(() => store.close());
}

/** Opens the records only to read them, and closes them after the work. */
export async function withRecords<T>(
  options: RecordsOptions,
  environment: Environment,
  work: (records: Pick<Store, "read">) => Promise<T>,
): Promise<T> {
  const records = (await inDatabase(options, environment)) ?? (await readInFolder(options, environment));
  return work(records).finally(() => records.close());
}

/** Tables of another version stay as they are, and are refused. */
async function inDatabase(options: RecordsOptions, environment: Environment): Promise<Store | undefined> {
  const database = await databaseFrom(options, environment);
  if (database === undefined) return undefined;
  const { openPostgres } = await import("../service/store/postgres/open-store.ts");
  return openPostgres({ ...database, migrate: "check" });
}

async function inFolder(options: RecordsOptions, environment: Environment): Promise<Store> {
  const file = await fileOf(options, environment);
  const { openServedStore } = await import("../service/store/sqlite/open-store.ts");
  return openServedStore(file);
}

async function readInFolder(
  options: RecordsOptions,
  environment: Environment,
): Promise<Pick<Store, "read" | "close">> {
  const file = await fileOf(options, environment);
  const { readServedRecords } = await import("../service/store/sqlite/open-store.ts");
  return readServedRecords(file);
}

async function fileOf({ data }: RecordsOptions, environment: Environment): Promise<string> {
  const dataFolder = data ?? given(environment, "EVIDENCE_DATA");
  if (!dataFolder)
    throw new UsageError("Say where the records are: --data DIR, EVIDENCE_DATA or --database-url URL");
  const { databaseFile } = await import("../service/store/data-folder.ts");
  const file = databaseFile(dataFolder);
  if (!existsSync(file)) {
    throw new UsageError(`There are no records in ${dataFolder}: start the service on it first`);
  }
  return file;
}
