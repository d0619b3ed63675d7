import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { compareSchema, type SchemaVersion } from "../schema-version.ts";
import { loadSqlite } from "./node-sqlite.ts";

/**
 * Looks at the tables of a file, which stays as it is.
 *
 * @throws Error when this version can neither work on them nor bring them up to date
 */
export function schemaVersion(file: string, lockTimeout: number): SchemaVersion {
  const applied = existsSync(file) ? appliedMigrations(file, lockTimeout) : [];
  return compareSchema(applied, dirname(file));
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
