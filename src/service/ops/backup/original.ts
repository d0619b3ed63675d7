import { existsSync, statSync } from "node:fs";
import type { Log } from "../../kernel/log.ts";
import { openOwnFolder, openPlace, type PlaceSettings } from "../../store/blobs/open-place.ts";
import { OWNER, type Place } from "../../store/blobs/place.ts";
import type { OnProgress } from "../../store/copy/copy-records.ts";
import { carriedTables } from "../../store/copy/former-records.ts";
import { type DatabaseIdentity, readIdentity } from "../../store/database-identity.ts";
import { shownAddress } from "../../store/postgres/address.ts";
import type { PostgresOptions } from "../../store/postgres/open-store.ts";
import { FormerRecords, olderRecords } from "../../store/schema-version.ts";
import { databaseFile, hasRecords, readRecords } from "../../store/sqlite/open-store.ts";
import { schemaVersion } from "../../store/sqlite/schema-version.ts";
import type { Store } from "../../store/store.ts";
import { Opened } from "./opened.ts";

const LOCK_TIMEOUT_MS = 15_000;

export interface Original extends AsyncDisposable {
  readonly name: string;
  /** The SQLite file with the records, if there is one. It may be of an older version. */
  readonly file?: string;
  /** Undefined before the first service has started on the records, and for records of an older version. */
  readonly identity: DatabaseIdentity | undefined;
  /** Gives access to all records. @throws Error when they are of another version */
  records(): Records;
  /** Records from before the baseline, which can only be copied. */
  readonly former?: Awaited<ReturnType<typeof formerOf>>;
  readonly place: Place;
}

type Records = Pick<Store, "read" | "readTogether" | "readAhead">;

export interface RecordLocation {
  readonly dataFolder?: string | undefined;
  /** The database with the records, in place of a file in the data folder. */
  readonly database?: PostgresOptions | undefined;
  /** Location of the attachments, if not in the data folder. */
  readonly attachmentsAt?: PlaceSettings | undefined;
}

/** @throws Error when there are no records, or the attachments belong to another database */
export async function openOriginal(where: RecordLocation, log: Log): Promise<Original> {
  await using opened = new Opened();
  const original = await (where.database ? inDatabase(where.database, where, log) : inFolder(where, log));
  opened.add(() => original[Symbol.asyncDispose]());
  await requireOwnPlace(original);
  opened.keep();
  return original;
}

async function inDatabase(database: PostgresOptions, where: RecordLocation, log: Log): Promise<Original> {
  const { openPostgres } = await import("../../store/postgres/open-store.ts");
  await using opened = new Opened();
  const name = shownAddress(database);
  const current = await unlessFormer(() => openPostgres({ ...database, migrate: "check" }));
  const store = current ?? (await openPostgres({ ...database, skipUpgrade: true }));
  opened.add(store.close);
  const place = await placeOf(where, log);
  opened.add(place.close);
  return {
    name,
    identity: await readIdentity(store.read),
    records() {
      if (current === undefined) throw new FormerRecords(name);
      return current;
    },
    ...(current === undefined && { former: await formerOf(store, name) }),
    place,
    ...opened.keep(),
  };
}

async function inFolder(where: RecordLocation, log: Log): Promise<Original> {
  const { dataFolder = "" } = where;
  const file = databaseFile(dataFolder);
  if (!hasRecords(dataFolder)) throw new Error(`There are no records in ${dataFolder}`);
  await using opened = new Opened();
  const place = await placeOf(where, log);
  opened.add(place.close);
  const original = await originalInFile({ name: dataFolder, file, place });
  opened.add(() => original[Symbol.asyncDispose]());
  return { ...original, ...opened.keep() };
}

export async function originalInFile({ name, file, place }: OriginalFile): Promise<Original> {
  // Opening a pipe would wait forever.
  if (!statSync(file).isFile()) throw new Error(`${file} is not a regular file`);
  const version = await unlessFormer(() => schemaVersion(file, LOCK_TIMEOUT_MS).version);
  if (version === "none") throw new Error(`There are no records in ${name}`);
  await using opened = new Opened();
  const store = version === "older" ? undefined : readRecords(file);
  opened.add(async () => store?.close());
  return {
    name,
    file,
    identity: store && (await readIdentity(store.read)),
    records() {
      if (version === undefined) throw new FormerRecords(name);
      if (store === undefined) throw olderRecords(name);
      return store;
    },
    ...(store && version === undefined && { former: await formerOf(store, name) }),
    place,
    ...opened.keep(),
  };
}

async function unlessFormer<T>(look: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof FormerRecords) return undefined;
    throw error;
  }
}

async function formerOf({ read, readTogether }: Records, name: string) {
  return { records: { read, readTogether }, tables: await carriedTables(read, name) };
}

type OriginalFile = Pick<Original, "name" | "place"> & Required<Pick<Original, "file">>;

async function placeOf({ attachmentsAt, dataFolder }: RecordLocation, log: Log): Promise<Place> {
  if (attachmentsAt !== undefined) {
    // Opening a place creates it, but a place to copy from must exist.
    if ("folder" in attachmentsAt && !existsSync(attachmentsAt.folder)) {
      throw new Error(`The folder ${attachmentsAt.folder} does not exist`);
    }
    return openPlace(attachmentsAt, log);
  }
  if (dataFolder === undefined) throw new Error("The place for attachments is missing: set --attachments");
  return openOwnFolder(dataFolder);
}

/** @throws Error when a place does not have the attachments of the records */
export async function requireOwnPlace({
  name,
  place,
  identity,
}: Pick<Original, "name" | "place" | "identity">): Promise<void> {
  const owner = await place.owner.read();
  if (identity === undefined) return;
  if (owner?.database === identity.id && owner.place === identity.placeId) return;
  throw new Error(
    `${place.name} must contain the attachments of ${name} and their ${OWNER.name}: choose the place with both`,
  );
}

/** Receives the reports of a long-running command. */
export interface Listener {
  /** Receives the progress; if it throws, the work ends. */
  readonly onProgress: OnProgress;
  /** Receives an operator's log lines about a failing store. */
  readonly log: Log;
}
