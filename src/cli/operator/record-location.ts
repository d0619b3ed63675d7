import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import type { RecordLocation } from "../../service/ops/backup/original.ts";
import type { PlaceSettings } from "../../service/store/blobs/open-place.ts";
import { addressesIn, databaseUrl } from "../../service/store/postgres/hosts.ts";
import { MIGRATE } from "../../service/store/postgres/migrate-modes.ts";
import type { PostgresOptions } from "../../service/store/postgres/open-store.ts";
import type { Store } from "../../service/store/store.ts";
import {
  contentOf,
  type Environment,
  given,
  oneOf,
  optionOrVariable,
  UsageError,
  type ValuesOf,
} from "../usage.ts";
import type { LOCATION_OPTIONS, RecordsOptions, SERVE_OPTIONS } from "./options.ts";

/** @throws {UsageError} if an option is missing */
export async function locationFrom(
  values: ValuesOf<typeof LOCATION_OPTIONS>,
  environment: Environment,
): Promise<RecordLocation> {
  const dataFolder = values.data ?? given(environment, "EVIDENCE_DATA");
  const database = await databaseFrom(values, environment);
  const attachments = values.attachments ?? given(environment, "EVIDENCE_ATTACHMENTS");
  const attachmentsAt = await attachmentsFrom(attachments, environment, values["allow-http"] ?? false);
  if (database === undefined && !dataFolder) {
    throw new UsageError("--data DIR or EVIDENCE_DATA is required, or --database-url with --attachments");
  }
  if (attachmentsAt === undefined && !dataFolder) {
    throw new UsageError(
      "With a database, --attachments (a folder or s3://bucket/prefix) or --data DIR is required",
    );
  }
  return { dataFolder: dataFolder || undefined, database, attachmentsAt };
}

type Named =
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "bucket"; readonly at: Extract<PlaceSettings, { bucket: unknown }> }
  | { readonly kind: "database"; readonly url: string };

/** @throws {UsageError} */
export async function namedPlace(text: string, environment: Environment, allowHttp = false): Promise<Named> {
  if (/^postgres(?:ql)?:/i.test(text)) return { kind: "database", url: text };
  const place = await attachmentsFrom(text, environment, allowHttp);
  if (place === undefined || "folder" in place) return { kind: "folder", folder: text };
  return { kind: "bucket", at: place };
}

/** @throws {UsageError} if the folder is missing */
export function requireFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false }))
    throw new UsageError(`The folder ${folder} does not exist`);
}

/** Files of which each data folder has one, also beside a database. */
const OWN = /^(evidence\.sqlite.*|service\.lock|secret\.key)$/;
/** Other contents of a data folder, and files of the file system and of the desktop. */
const ALLOWED = /^(files|incoming|lost\+found|\..*)$/;

/** @throws {UsageError} for a folder with other files than those of a service */
export async function refuseForeignFolder(folder: string): Promise<void> {
  // A missing folder is created. An unreadable one is reported when it is used.
  const names = await readdir(folder).catch(() => []);
  const foreign = names.find((name) => !ALLOWED.test(name));
  if (foreign === undefined || names.some((name) => OWN.test(name))) return;
  throw new UsageError(
    `${folder} contains '${foreign}' and no records. Use an empty or a new folder for --data`,
  );
}

const NEEDS_URL = ["database-password-file", "database-pool", "database-migrate"] as const;

/**
 * Reads `--database-url` or `EVIDENCE_DATABASE_URL`, and so on.
 *
 * @returns undefined if none is named
 * @throws {UsageError}
 */
export async function databaseFrom(
  values: RecordsOptions,
  environment: Environment,
): Promise<PostgresOptions | undefined> {
  const text = optionOrVariable(values, environment);
  const url = await addressFrom("database-url", {
    named: text("database-url"),
    file: text("database-url-file"),
  });
  if (url === undefined) {
    const lonely = NEEDS_URL.find((name) => values[name] !== undefined);
    if (lonely !== undefined) throw new UsageError(`--${lonely} needs --database-url`);
    return undefined;
  }
  const passwordFile = text("database-password-file");
  const pool = text("database-pool");
  const migrate = text("database-migrate");
  return {
    url,
    ...(passwordFile === undefined ? {} : { passwordFile }),
    ...(pool === undefined ? {} : { pool: poolSize(pool) }),
    ...(migrate === undefined ? {} : { migrate: oneOf(migrate, MIGRATE, "--database-migrate") }),
  };
}

/**
 * Reads `--database-read-url` or its file.
 *
 * @returns the database with the address of its copies, if one is given
 * @throws {UsageError}
 */
export async function withCopies(
  database: PostgresOptions | undefined,
  values: ValuesOf<typeof SERVE_OPTIONS>,
  environment: Environment,
): Promise<PostgresOptions | undefined> {
  const text = optionOrVariable(values, environment);
  const given = { named: text("database-read-url"), file: text("database-read-url-file") };
  const readUrl = await addressFrom("database-read-url", given);
  if (readUrl === undefined) return database;
  if (database === undefined) throw new UsageError("--database-read-url needs --database-url");
  return { ...database, readUrl };
}

async function addressFrom(
  option: string,
  { named, file }: { named: string | undefined; file: string | undefined },
): Promise<string | undefined> {
  if (named !== undefined && file !== undefined) {
    throw new UsageError(`Set --${option} or --${option}-file, not both`);
  }
  const url = file === undefined ? named : await contentOf(file, "the address of the database");
  if (url === undefined || addressesIn(url).every(databaseUrl)) return url;
  // The value may contain a password, so it is not repeated.
  throw new UsageError(
    `--${option} must be an address such as postgres://user@host:5432/name. Put a password with : / ? # @ % in ` +
      "--database-password-file, or percent-encode it (%3A for :)",
  );
}

function poolSize(text: string): number {
  const size = Number(text);
  if (!/^\d{1,3}$/.test(text) || size < 1)
    throw new UsageError(`--database-pool must be between 1 and 999, got '${text}'`);
  return size;
}

/**
 * A folder or `s3://bucket/prefix`; undefined if unset.
 *
 * @param allowHttp allows plain HTTP to a bucket on another machine
 * @throws {UsageError}
 */
export async function attachmentsFrom(
  text: string | undefined,
  environment: Environment,
  allowHttp: boolean,
): Promise<PlaceSettings | undefined> {
  if (text === undefined) return undefined;
  if (text === "") throw new UsageError("--attachments must be a folder or s3://bucket/prefix, got ''");
  const [, scheme] = /^([a-z0-9]+):\/\//i.exec(text) ?? [];
  if (scheme === undefined) {
    if (!/^s3:/i.test(text)) return { folder: text };
    throw new UsageError(
      `'${text}' lacks a slash. Use s3://bucket/prefix for a bucket, or ./${text} for a folder of that name`,
    );
  }
  if (scheme !== "s3") {
    throw new UsageError(`--attachments must be a folder or s3://bucket/prefix, got '${text}'`);
  }
  const { bucketAddress } = await import("../../service/store/blobs/bucket/address.ts");
  try {
    return { bucket: bucketAddress(text, environment, allowHttp), environment };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Opens the records to write, and closes them after the work. */
export async function withStore<T>(
  options: RecordsOptions,
  environment: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = (await inDatabase(options, environment)) ?? (await inFolder(options, environment));
  return work(store).finally(() => store.close());
}

/** Opens the records to read, and closes them after the work. */
export async function withRecords<T>(
  options: RecordsOptions,
  environment: Environment,
  work: (records: Pick<Store, "read">) => Promise<T>,
): Promise<T> {
  const records = (await inDatabase(options, environment)) ?? (await readInFolder(options, environment));
  return work(records).finally(() => records.close());
}

/** Tables of another version are refused unchanged. */
async function inDatabase(options: RecordsOptions, environment: Environment): Promise<Store | undefined> {
  const database = await databaseFrom(options, environment);
  if (database === undefined) return undefined;
  const { openPostgres } = await import("../../service/store/postgres/open-store.ts");
  return openPostgres({ ...database, migrate: "check" });
}

async function inFolder(options: RecordsOptions, environment: Environment): Promise<Store> {
  const file = await fileOf(options, environment);
  const { openServedStore } = await import("../../service/store/sqlite/open-store.ts");
  return openServedStore(file);
}

async function readInFolder(options: RecordsOptions, environment: Environment) {
  const file = await fileOf(options, environment);
  const { readServedRecords } = await import("../../service/store/sqlite/open-store.ts");
  return readServedRecords(file);
}

async function fileOf({ data }: RecordsOptions, environment: Environment): Promise<string> {
  const dataFolder = data ?? given(environment, "EVIDENCE_DATA");
  if (!dataFolder) throw new UsageError("--data DIR, EVIDENCE_DATA or --database-url URL is required");
  const { databaseFile, hasRecords } = await import("../../service/store/sqlite/open-store.ts");
  if (!hasRecords(dataFolder)) {
    throw new UsageError(`${dataFolder} contains no records. Start the service on it first`);
  }
  return databaseFile(dataFolder);
}
