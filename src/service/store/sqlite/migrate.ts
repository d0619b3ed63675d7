import { applySteps } from "../apply-steps.ts";
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
    await applySteps(queries, from);
  } catch (cause) {
    database.exec("ROLLBACK");
    throw new Error("The records could not be brought up to this version: nothing was changed", { cause });
  }
  database.exec("COMMIT");
}
