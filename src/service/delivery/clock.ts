import { now } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

/** What time it is for all instances that serve the same records, in Unix seconds. */
export type Clock = (db: Database) => Promise<number>;

/** The clock of the database: those of instances may differ. */
export const databaseClock: Clock = async (db) => {
  const { at } = await db.selectNoFrom(now().as("at")).executeTakeFirstOrThrow();
  return at;
};
