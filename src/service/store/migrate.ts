import { Migrator } from "kysely/migration";
import { migrations } from "./migrations.ts";
import type { SqliteConnection } from "./sqlite/sqlite.ts";

/**
 * Brings the tables up to what this version needs.
 *
 * @throws Error when a step fails; then nothing is changed.
 */
export async function migrate({ database, queries }: SqliteConnection): Promise<void> {
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  // Taken at once, so that two processes that start together do not both make the tables.
  database.exec("BEGIN IMMEDIATE");
  const { error } = await migrator.migrateToLatest({ disableTransactions: true });
  if (error !== undefined) {
    database.exec("ROLLBACK");
    throw new Error("The records could not be brought up to this version: nothing was changed", {
      cause: error,
    });
  }
  database.exec("COMMIT");
}
