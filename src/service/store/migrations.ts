import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { initial } from "./migrations/0001-initial.ts";

/** The steps that made the tables, in the order of their names. A released step never changes. */
export const migrations: Record<string, Migration> = {
  "0001-initial": statements(initial),
};

/** A step of SQL statements, each ended by a semicolon. */
function statements(text: string): Migration {
  return { up: (db) => run(db, text) };
}

async function run(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(";")) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
}
