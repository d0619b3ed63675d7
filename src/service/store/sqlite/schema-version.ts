import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type Applied, compareSchema, type SchemaVersion } from "../schema-version.ts";
import { UNFINISHED_COPY } from "../unfinished-copy.ts";
import { loadSqlite } from "./node-sqlite.ts";

/**
 * Looks at the tables of a file, which stays as it is.
 *
 * @throws Error when this version can neither work on them nor bring them up to date
 */
export function schemaVersion(file: string, lockTimeout: number): SchemaVersion {
  const applied = existsSync(file)
    ? appliedSteps(file, lockTimeout)
    : { ...NONE, unfinished: existsSync(partialFile(file)) };
  return compareSchema(applied, dirname(file));
}

/** The file in which the records of a copy are put together. Without the one beside it the copy was just begun. */
export function partialFile(file: string): string {
  return `${file}.partial`;
}

const NONE: Applied = { steps: [], breaking: [], unfinished: false };

function appliedSteps(file: string, lockTimeout: number): Applied {
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(file, { readOnly: true, timeout: lockTimeout });
    database = opened;
    const has = (table: string) =>
      opened.prepare("select 1 from sqlite_master where name = ?").get(table) !== undefined;
    const namesIn = (table: string) => {
      const rows = has(table) ? opened.prepare(`select name from ${table}`).all() : [];
      return rows.map(({ name }) => String(name));
    };
    const steps = namesIn("kysely_migration");
    // Of records without the list it is not known: then every step counts.
    const breaking = namesIn("breaking_steps");
    const unfinished = has(UNFINISHED_COPY);
    return { steps, breaking: breaking.length === 0 ? steps : breaking, unfinished };
  } catch (cause) {
    throw new Error(`The records in ${dirname(file)} cannot be read`, { cause });
  } finally {
    database?.close();
  }
}
