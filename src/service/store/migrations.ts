import { changeTables, dialectOf, insertRows } from "./dialect.ts";
import { statementsOf } from "./schema.ts";
import { type Database, TABLES } from "./tables.ts";

export interface Migration {
  up(db: Database): Promise<void>;
  /** An older version can use the records after it, beside this version. It ignores the new columns and tables. */
  readonly isCompatible?: true;
}

const BASELINE = "0001-baseline";

/**
 * Migrations of released versions by name, in order: `"0002-what-changes"` is the first. A released
 * one never changes. A migration changes the table descriptions as well.
 */
export const migrations: Readonly<Record<string, Migration>> = {};

const isCompatible = (name: string) => migrations[name]?.isCompatible === true;

export const allMigrations = (): readonly string[] => [BASELINE, ...Object.keys(migrations)];

/** Creates the tables of this version in the open transaction. */
export async function makeTables(db: Database): Promise<void> {
  for (const statement of statementsOf(TABLES)) await changeTables(db, statement);
  await dialectOf(db).searchIndex.make.execute(db);
  await note(db, allMigrations());
}

export async function applyMigrations(db: Database, pending: readonly string[]): Promise<void> {
  for (const name of pending) await migrations[name]?.up(db);
  await note(db, pending);
}

/** Whether an older version cannot use the tables after one of the migrations. */
export function isBreaking(names: readonly string[]): boolean {
  return !names.every(isCompatible);
}

async function note(db: Database, names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ name, is_breaking: isCompatible(name) ? 0 : 1 }));
  await insertRows(db, "schema_migrations", rows);
}
