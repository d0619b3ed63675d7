import { sql } from "kysely";
import { VERSION } from "../../api/version.ts";
import { changeTables } from "./dialect.ts";
import { allMigrations } from "./migrations.ts";
import type { Database } from "./tables.ts";

export type SchemaVersion = "none" | "older" | "this";

export interface AppliedMigration {
  readonly name: string;
  readonly is_breaking: number;
}

export interface FoundTables {
  readonly migrations: readonly AppliedMigration[];
  /** Their migrations are numbered as before the baseline. */
  readonly areFormer: boolean;
  /** They are an incomplete copy. */
  readonly areUnfinished: boolean;
}

/** The table in which versions before the baseline recorded their migrations. */
export const FORMER_MIGRATIONS = "kysely_migration";

/** Tables of a newer version count as current unless a migration was breaking. @throws Error otherwise */
export function compareSchema(
  { migrations, areFormer, areUnfinished }: FoundTables,
  place: string,
): SchemaVersion {
  if (areUnfinished) throw unfinishedCopy(place);
  if (migrations.length === 0) {
    if (areFormer) throw new FormerRecords(place);
    return "none";
  }
  const known = allMigrations();
  if (migrations.some(({ name, is_breaking }) => is_breaking !== 0 && !known.includes(name))) {
    throw newerRecords(place);
  }
  return pendingMigrations(migrations).length === 0 ? "this" : "older";
}

/** The migrations that are missing. */
export function pendingMigrations(applied: readonly AppliedMigration[]): string[] {
  const names = new Set(applied.map(({ name }) => name));
  return allMigrations().filter((name) => !names.has(name));
}

/** The records are from before the baseline. They are not touched, and the message says what to do. */
export class FormerRecords extends Error {
  constructor(place: string) {
    super(
      `The records in ${place} were written by a version from before the first release: stop that version, copy them ` +
        `once with delivery-evidence move --from ${place} --to NEW-PLACE, and start version ${VERSION} there`,
    );
  }
}

function newerRecords(place: string): Error {
  return new Error(
    `The records in ${place} were written by a version newer than ${VERSION}: start that version, ` +
      "or restore the copy from before the upgrade",
  );
}

export function olderRecords(place: string): Error {
  return new Error(
    `The records in ${place} were written by a version older than ${VERSION}: use that version, or ` +
      `first start version ${VERSION} of the service on these records, which upgrades them`,
  );
}

export function noRecords(place: string): Error {
  return new Error(
    `The database ${place} has no records: start a service on it first, as a user that may create tables and with ` +
      "--database-migrate auto",
  );
}

/** A table of this name marks records that are still being copied and incomplete. */
export const UNFINISHED_COPY = "unfinished_copy";

export async function beginCopy(db: Database): Promise<void> {
  await changeTables(db, `create table ${UNFINISHED_COPY} (note text not null)`);
}

export async function finishCopy(db: Database): Promise<void> {
  await sql`drop table ${sql.table(UNFINISHED_COPY)}`.execute(db);
}

/** The error for an incomplete copy, which is not served. */
function unfinishedCopy(place: string): Error {
  return new Error(
    `The records in ${place} are an incomplete copy: copy again to an empty place, and remove this incomplete copy`,
  );
}
