import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  compareSchema,
  FORMER_MIGRATIONS,
  type FoundTables,
  pendingMigrations,
  UNFINISHED_COPY,
} from "../schema-version.ts";
import { loadSqlite } from "./node-sqlite.ts";

/** Reads only. @throws Error when this version can neither use nor upgrade the tables */
export function schemaVersion(file: string, lockTimeout: number) {
  const found = existsSync(file)
    ? tablesIn(file, lockTimeout)
    : { migrations: [], areFormer: false, areUnfinished: existsSync(partialFile(file)) };
  return { version: compareSchema(found, dirname(file)), pending: pendingMigrations(found.migrations) };
}

/** The file in which a copy's records are assembled. While `file` itself does not exist, the copy has only begun. */
export function partialFile(file: string): string {
  return `${file}.partial`;
}

function tablesIn(file: string, lockTimeout: number): FoundTables {
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(file, { readOnly: true, timeout: lockTimeout });
    database = opened;
    const has = (table: string) =>
      opened.prepare("select 1 from sqlite_master where name = ?").get(table) !== undefined;
    const rows = has("schema_migrations")
      ? opened.prepare("select name, is_breaking from schema_migrations").all()
      : [];
    return {
      migrations: rows.map(({ name, is_breaking }) => ({
        name: String(name),
        is_breaking: Number(is_breaking),
      })),
      areFormer: has(FORMER_MIGRATIONS),
      areUnfinished: has(UNFINISHED_COPY),
    };
  } catch (cause) {
    throw new Error(`The records in ${dirname(file)} cannot be read`, { cause });
  } finally {
    database?.close();
  }
}
