import { dirname } from "node:path";
import { VERSION } from "../../../api/version.ts";
import type { Log } from "../../kernel/log.ts";
import { writeNothing } from "../dialect.ts";
import { type StoreObserver, UNOBSERVED } from "../observer.ts";
import { makePrivate, makePrivateFile } from "../private-file.ts";
import { olderRecords } from "../schema-version.ts";
import type { Store } from "../store.ts";
import { copyAside, removePartialCopies } from "./copy-aside.ts";
import { groupCommit } from "./group-commit.ts";
import { migrate } from "./migrate.ts";
import { schemaVersion } from "./schema-version.ts";
import { openSqlite, type SqliteConnection } from "./sqlite.ts";

/** The command line holds the write lock for milliseconds, a large report of another worker for seconds. */
const LOCK_TIMEOUT_MS = 15_000;

export interface StoreOptions {
  /** How long to wait for another process that writes, in milliseconds. */
  lockTimeout?: number;
  /** Takes an entry about an upgrade of the records. */
  log?: Log;
  observer?: StoreObserver;
}

/**
 * Opens the records in a SQLite file, which is created or brought up to date as needed. What is there already is
 * copied aside before it is changed.
 *
 * @throws Error when this version cannot bring the records up to date; they are left alone
 */
export async function openStore(file: string, options: StoreOptions = {}): Promise<Store> {
  const { lockTimeout = LOCK_TIMEOUT_MS, log = () => {}, observer = UNOBSERVED } = options;
  const found = schemaVersion(file, lockTimeout);
  makePrivateFile(file);
  makePrivate([`${file}-wal`, `${file}-shm`]);
  await removePartialCopies(file);
  if (found === "older") {
    const copy = await copyAside(file, lockTimeout);
    const message = `The records are brought up to version ${VERSION}; a copy of them as they were is ${copy}`;
    log({ level: "info", message });
  }
  const writer = openSqlite(file, { lockTimeout });
  if (found !== "this") await migrate(writer, found);
  return storeOf(file, writer, { lockTimeout, observer });
}

/**
 * Opens records that a service of this version has served, or serves meanwhile, to read and to write. Their tables
 * stay as they are.
 *
 * @throws Error when they are of another version
 */
export function openServedStore(file: string, observer: StoreObserver = UNOBSERVED): Store {
  requireThisVersion(file);
  const settings = { lockTimeout: LOCK_TIMEOUT_MS, observer };
  return storeOf(file, openSqlite(file, settings), settings);
}

/** Opens such records only to read them: not a byte of them is changed. */
export function readServedRecords(file: string): Pick<Store, "read" | "readTogether" | "close"> {
  requireThisVersion(file);
  const { queries, database } = openSqlite(file, { readOnly: true, lockTimeout: LOCK_TIMEOUT_MS });
  return {
    read: queries,
    readTogether: (work) => queries.transaction().execute(work),
    close: async () => database.close(),
  };
}

function requireThisVersion(file: string): void {
  if (schemaVersion(file, LOCK_TIMEOUT_MS) !== "this") throw olderRecords(dirname(file));
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
