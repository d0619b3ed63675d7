import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { VERSION } from "../../../api/version.ts";
import { currentSteps } from "../former-steps.ts";
import { migrations } from "../migrations.ts";
import { loadSqlite } from "./node-sqlite.ts";

/** How the tables of a file compare with those that this version works on. */
export type SchemaVersion = "none" | "older" | "this";

/**
 * Looks at the tables of a file, which stays as it is.
 *
 * @throws Error when this version can neither work on them nor bring them up to date
 */
export function schemaVersion(file: string, lockTimeout: number): SchemaVersion {
  const applied = existsSync(file) ? appliedMigrations(file, lockTimeout) : [];
  if (applied.length === 0) return "none";
  const steps = currentSteps(applied);
  if (steps === undefined) throw unfinishedRecords(file);
  if (steps.some((name) => !Object.hasOwn(migrations, name))) throw newerRecords(file);
  return Object.keys(migrations).every((name) => applied.includes(name)) ? "this" : "older";
}

function appliedMigrations(file: string, lockTimeout: number): string[] {
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: lockTimeout });
    const table = database.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get();
    if (table === undefined) return [];
    const rows = database.prepare("select name from kysely_migration").all();
    return rows.map(({ name }) => String(name));
  } catch (cause) {
    throw new Error(`The records in ${dirname(file)} cannot be read`, { cause });
  } finally {
    database?.close();
  }
}

/** Why records of a version that was left halfway are not touched, and what to do. */
function unfinishedRecords(file: string): Error {
  return new Error(
    `The records in ${dirname(file)} were written by an unfinished version, from before the first release, which ` +
      `this ${VERSION} cannot bring up to date: serve them with that version, or start with an empty folder`,
  );
}

/** Why records of a newer version are not touched, and what to do. */
function newerRecords(file: string): Error {
  return new Error(
    `The records in ${dirname(file)} were written by a newer version than this ${VERSION}: start that version, ` +
      "or restore the copy that it made before its upgrade",
  );
}

/** Why records of an older version are not touched by a command that is to leave them as they are. */
export function olderRecords(file: string): Error {
  return new Error(
    `The records in ${dirname(file)} are of an older version than this ${VERSION}: run the version that serves ` +
      "them, or start this service on them first",
  );
}
