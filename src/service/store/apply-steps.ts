import { Migrator } from "kysely/migration";
import { insertRows } from "./dialect.ts";
import { renameFormerSteps } from "./former-steps.ts";
import { migrations } from "./migrations.ts";
import type { Database } from "./tables.ts";

/**
 * Takes the steps that are missing, within the transaction that is open, and notes those that no older version can work
 * beside.
 *
 * @param from whether there are tables already
 */
export async function applySteps(db: Database, from: "none" | "older"): Promise<void> {
  if (from === "older") await renameFormerSteps(db.withTables<{ kysely_migration: { name: string } }>());
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results = [] } = await migrator.migrateToLatest({ disableTransactions: true });
  if (error !== undefined) throw error;
  const breaking = results.filter(({ migrationName }) => migrations[migrationName]?.compatible !== true);
  await insertRows(
    db,
    "breaking_steps",
    breaking.map(({ migrationName }) => ({ name: migrationName })),
  );
}
