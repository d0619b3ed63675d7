import { existsSync } from "node:fs";
import type { Store } from "../service/store/store.ts";
import { type Environment, given, UsageError } from "./usage.ts";

/*
 * The records of a service, for the commands that work on them beside it. A service makes them, no other command does.
 */

/** Which records are meant, as a command line says it. */
export interface RecordsOptions {
  readonly data?: string | undefined;
}

/** Opens the records to write to them, and closes them after the work. */
export async function withStore<T>(
  options: RecordsOptions,
  environment: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const file = await recordsIn(options, environment);
  const { openServedStore } = await import("../service/store/sqlite/open-store.ts");
  const store = openServedStore(file);
  return work(store).finally(() => store.close());
}

/** Opens the records only to read them, and closes them after the work. */
export async function withRecords<T>(
  options: RecordsOptions,
  environment: Environment,
  work: (records: Pick<Store, "read">) => Promise<T>,
): Promise<T> {
  const file = await recordsIn(options, environment);
  const { readServedRecords } = await import("../service/store/sqlite/open-store.ts");
  const records = readServedRecords(file);
  return work(records).finally(() => records.close());
}

async function recordsIn({ data }: RecordsOptions, environment: Environment): Promise<string> {
  const dataFolder = data ?? given(environment, "EVIDENCE_DATA");
  if (!dataFolder) throw new UsageError("Say where the records are: --data DIR or EVIDENCE_DATA");
  const { databaseFile } = await import("../service/store/data-folder.ts");
  const file = databaseFile(dataFolder);
  if (!existsSync(file)) {
    throw new UsageError(`There are no records in ${dataFolder}: start the service on it first`);
  }
  return file;
}
