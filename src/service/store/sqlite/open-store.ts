import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { VERSION } from "../../../api/version.ts";
import type { Log } from "../../kernel/log.ts";
import { letOthersIn } from "../../kernel/slices.ts";
import { dialectOf, writeNothing } from "../dialect.ts";
import { makePrivate, makePrivateFile } from "../local-files.ts";
import { applyMigrations, makeTables } from "../migrations.ts";
import { olderRecords } from "../schema-version.ts";
import { type Store, type StoreObserver, UNOBSERVED } from "../store.ts";
import { TABLE_NAMES } from "../tables.ts";
import { copyAside, removePartialCopies } from "./copy-pages.ts";
import { groupCommit } from "./group-commit.ts";
import { schemaVersion } from "./schema-version.ts";
import { openSqlite, type SqliteConnection } from "./sqlite.ts";

/** The command line keeps the write lock for milliseconds, another worker's large report for seconds. */
const LOCK_TIMEOUT_MS = 15_000;

interface Fillable {
  /** Runs `fill`, which may insert rows before those that they refer to, and checks the references at the end. */
  filling<T>(fill: () => Promise<T>): Promise<T>;
}

export interface StoreOptions {
  lockTimeout?: number;
  log?: Log;
  observer?: StoreObserver;
}

/** Creates or upgrades the file, after a copy. @throws Error when it cannot be upgraded; it is not changed */
export async function openStore(file: string, options: StoreOptions = {}): Promise<Store & Fillable> {
  const { lockTimeout = LOCK_TIMEOUT_MS, log = () => {}, observer = UNOBSERVED } = options;
  const { version } = schemaVersion(file, lockTimeout);
  makePrivateFile(file);
  makePrivate([`${file}-wal`, `${file}-shm`]);
  await removePartialCopies(file);
  if (version === "older") {
    const copy = await copyAside(file, lockTimeout);
    const message = `Upgrading the records to version ${VERSION}; the copy from before is ${copy}`;
    log({ level: "info", message });
  }
  const writer = openSqlite(file, { lockTimeout });
  if (version !== "this") await changeSchema(writer, () => schemaVersion(file, lockTimeout));
  return {
    ...storeOf(file, writer, { lockTimeout, observer }),
    filling: (fill) => withoutReferences(writer, fill),
  };
}

/** @throws Error when a row refers to one that is missing */
async function withoutReferences<T>(
  { database, queries }: SqliteConnection,
  fill: () => Promise<T>,
): Promise<T> {
  database.exec("PRAGMA foreign_keys = OFF");
  const filled = await fill();
  await dialectOf(queries).searchIndex.fill(queries);
  database.exec("PRAGMA foreign_keys = ON");
  for (const table of TABLE_NAMES) {
    const { rows } = await sql<{ parent: string }>`
      select parent from pragma_foreign_key_check(${table}) limit 1`.execute(queries);
    if (rows[0]) throw new Error(`A row of ${table} refers to a row of ${rows[0].parent} that is missing`);
    await letOthersIn();
  }
  return filled;
}

/** @throws Error when the change fails; then nothing is changed */
async function changeSchema(
  { database, queries }: SqliteConnection,
  found: () => ReturnType<typeof schemaVersion>,
): Promise<void> {
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have changed the schema while this one waited for the lock.
    const { version, pending } = found();
    if (version === "none") await makeTables(queries);
    if (version === "older") await applyMigrations(queries, pending);
  } catch (cause) {
    database.exec("ROLLBACK");
    throw new Error("The records could not be upgraded to this version: nothing was changed", { cause });
  }
  database.exec("COMMIT");
}

/** Opens records of this version without changing tables. @throws Error for records of another version */
export function openServedStore(file: string, observer: StoreObserver = UNOBSERVED): Store {
  requireThisVersion(file);
  const settings = { lockTimeout: LOCK_TIMEOUT_MS, observer };
  return storeOf(file, openSqlite(file, settings), settings);
}

/** Opens such records read-only, without changing a byte. */
export function readServedRecords(file: string): ReadRecords {
  requireThisVersion(file);
  return readRecords(file);
}

type ReadRecords = Pick<Store, "read" | "readTogether" | "close">;

/** Opens records of any version read-only. */
export function readRecords(file: string): ReadRecords {
  const { queries, database } = openSqlite(file, { readOnly: true, lockTimeout: LOCK_TIMEOUT_MS });
  return {
    read: queries,
    readTogether: (work) => queries.transaction().execute(work),
    close: async () => database.close(),
  };
}

function requireThisVersion(file: string): void {
  if (schemaVersion(file, LOCK_TIMEOUT_MS).version !== "this") throw olderRecords(dirname(file));
}

function storeOf(
  file: string,
  writer: SqliteConnection,
  { lockTimeout, observer }: Required<Omit<StoreOptions, "log">>,
): Store {
  const reader = openSqlite(file, { readOnly: true, lockTimeout });
  const { write, committedAt, waiting, drained } = groupCommit(writer, { observer, lockTimeout });
  return {
    engine: "sqlite",
    isShared: false,
    read: reader.queries,
    readTogether: (queries) => reader.queries.transaction().execute(queries),
    write,
    committedAt,
    load: () => ({ waitingWrites: waiting() }),
    async checkWritable() {
      await write(writeNothing);
    },
    async close() {
      await drained();
      reader.database.close();
      writer.database.close();
    },
  };
}

/** The file of a data folder with the records. */
export function databaseFile(dataFolder: string): string {
  return join(dataFolder, "evidence.sqlite");
}

/** @throws Error when the folder cannot be read */
export function hasRecords(dataFolder: string): boolean {
  try {
    return statSync(databaseFile(dataFolder), { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    throw new Error(`The folder ${dataFolder} cannot be read`, { cause });
  }
}

export async function openDataFolder(dataFolder: string, options: StoreOptions = {}): Promise<Store> {
  return openStore(databaseFile(dataFolder), options);
}
