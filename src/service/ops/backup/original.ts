import { existsSync, statSync } from "node:fs";
import type { Log } from "../../kernel/log.ts";
import { openOwnFolder, openPlace, type PlaceSettings } from "../../store/blobs/open-place.ts";
import { OWNER_FILE, type Place } from "../../store/blobs/place.ts";
import { databaseFile } from "../../store/data-folder.ts";
import { type DatabaseIdentity, readIdentity } from "../../store/database-identity.ts";
import { shownAddress } from "../../store/postgres/address.ts";
import type { PostgresOptions } from "../../store/postgres/open-store.ts";
import { olderRecords } from "../../store/schema-version.ts";
import { readServedRecords } from "../../store/sqlite/open-store.ts";
import { schemaVersion } from "../../store/sqlite/schema-version.ts";
import type { Store } from "../../store/store.ts";
import { Opened } from "./opened.ts";

const LOCK_TIMEOUT_MS = 15_000;

/** Records with their attachments, to be copied or looked at. */
export interface Original extends AsyncDisposable {
  /** As an operator knows it, without a password. */
  readonly name: string;
  /** The SQLite file that holds the records, where one does. It may be of an older version. */
  readonly file?: string;
  /** Nothing before the first service has started on the records, and where they are of an older version. */
  readonly identity: DatabaseIdentity | undefined;
  /** To look at all records. @throws Error when they are of another version */
  records(): Records;
  readonly place: Place;
}

type Records = Pick<Store, "read" | "readTogether">;

/** Where records and attachments are. */
export interface Whereabouts {
  readonly dataFolder?: string;
  /** The database that keeps the records, in place of a file in the data folder. */
  readonly database?: PostgresOptions;
  /** Where attachments are kept, if not in the data folder. */
  readonly attachmentsAt?: PlaceSettings;
}

/** @throws Error when there are no records, or the attachments are those of another database */
export async function openOriginal(where: Whereabouts, log: Log): Promise<Original> {
  await using opened = new Opened();
  const original = await (where.database ? inDatabase(where.database, where, log) : inFolder(where, log));
  opened.add(() => original[Symbol.asyncDispose]());
  await requireOwnPlace(original);
  opened.keep();
  return original;
}

async function inDatabase(database: PostgresOptions, where: Whereabouts, log: Log): Promise<Original> {
  const { openPostgres } = await import("../../store/postgres/open-store.ts");
  await using opened = new Opened();
  const store = await openPostgres({ ...database, migrate: "check" });
  opened.add(store.close);
  const place = await placeOf(where, log);
  opened.add(place.close);
  const identity = await readIdentity(store.read);
  const name = shownAddress(database);
  return { name, identity, records: () => store, place, ...opened.keep() };
}

async function inFolder(where: Whereabouts, log: Log): Promise<Original> {
  const { dataFolder = "" } = where;
  const file = databaseFile(dataFolder);
  if (!existsSync(file)) throw new Error(`There are no records in ${dataFolder}`);
  await using opened = new Opened();
  const place = await placeOf(where, log);
  opened.add(place.close);
  const original = await originalInFile({ name: dataFolder, file, place });
  opened.add(() => original[Symbol.asyncDispose]());
  return { ...original, ...opened.keep() };
}

/** Records in a SQLite file, with their attachments at a place that is closed by whoever opened it. */
export async function originalInFile({ name, file, place }: OriginalFile): Promise<Original> {
  // A pipe would be waited for without end.
  if (!statSync(file).isFile()) throw new Error(`${file} is not a regular file`);
  const version = schemaVersion(file, LOCK_TIMEOUT_MS);
  if (version === "none") throw new Error(`There are no records in ${name}`);
  await using opened = new Opened();
  const current = version === "this" ? readServedRecords(file) : undefined;
  opened.add(async () => current?.close());
  return {
    name,
    file,
    identity: current && (await readIdentity(current.read)),
    records() {
      if (current === undefined) throw olderRecords(name);
      return current;
    },
    place,
    ...opened.keep(),
  };
}

type OriginalFile = Pick<Original, "name" | "place"> & Required<Pick<Original, "file">>;

async function placeOf({ attachmentsAt, dataFolder }: Whereabouts, log: Log): Promise<Place> {
  if (attachmentsAt !== undefined) {
    // A place is made when it is opened; of what is to be copied it is there.
    if ("folder" in attachmentsAt && !existsSync(attachmentsAt.folder)) {
      throw new Error(`There is no folder ${attachmentsAt.folder}`);
    }
    return openPlace(attachmentsAt, log);
  }
  if (dataFolder === undefined) throw new Error("It is not said where the attachments are");
  return openOwnFolder(dataFolder);
}

/** @throws Error when a place does not hold the attachments of the records */
export async function requireOwnPlace({
  name,
  place,
  identity,
}: Pick<Original, "name" | "place" | "identity">): Promise<void> {
  const owner = await place.owner.read();
  if (identity === undefined) return;
  if (owner?.database === identity.id && owner.place === identity.placeId) return;
  throw new Error(
    `${place.name} does not hold the attachments of ${name}, or has lost its ${OWNER_FILE}: name the place that has both`,
  );
}
