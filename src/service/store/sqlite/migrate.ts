import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { renameFormerSteps } from "../former-steps.ts";
import { migrations } from "../migrations.ts";
import type { SqliteConnection } from "./sqlite.ts";

/**
 * Makes the tables that this version needs, or brings older ones up to it.
 *
 * @throws Error when a step fails; then nothing is changed.
 */
export async function migrate(
  { database, queries }: SqliteConnection,
  from: "none" | "older",
): Promise<void> {
  // Taken at once, so that two processes that start together do not both make the tables.
  database.exec("BEGIN IMMEDIATE");
  try {
    if (from === "older")
      await renameFormerSteps(queries.withTables<{ kysely_migration: { name: string } }>());
    await applySteps(queries);
  } catch (cause) {
    database.exec("ROLLBACK");
    throw new Error("The records could not be brought up to this version: nothing was changed", { cause });
  }
  database.exec("COMMIT");
}

async function applySteps<Tables>(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest({ disableTransactions: true });
  if (error !== undefined) throw error;
}
