import { newId } from "./ids.ts";
import type { Database } from "./tables.ts";

export interface DatabaseIdentity {
  readonly id: string;
  /** The id of the place for attachments; null before the database has one. */
  readonly placeId: string | null;
}

const ONLY_ROW = 1;

/** Returns nothing before the first service has started on the database. */
export async function readIdentity(db: Database): Promise<DatabaseIdentity | undefined> {
  const row = await db
    .selectFrom("database_identity")
    .select(["id", "place_id"])
    .where("only_row", "=", ONLY_ROW)
    .executeTakeFirst();
  return row && { id: row.id, placeId: row.place_id };
}

/** Creates the identity if there is none. If several instances try, one creates it for all. */
export async function ensureIdentity(db: Database, proposed: string = newId()): Promise<DatabaseIdentity> {
  await db
    .insertInto("database_identity")
    .values({ only_row: ONLY_ROW, id: proposed, place_id: null })
    .onConflict((conflict) => conflict.column("only_row").doNothing())
    .execute();
  return (await readIdentity(db)) ?? { id: proposed, placeId: null };
}

/** Gives the database a place for attachments unless it has one. @returns the id of its place */
export async function ensurePlace(db: Database, placeId: string): Promise<string> {
  await db
    .updateTable("database_identity")
    .set({ place_id: placeId })
    .where("only_row", "=", ONLY_ROW)
    .where("place_id", "is", null)
    .execute();
  return (await readIdentity(db))?.placeId ?? placeId;
}

/** Replaces the identity of the database or its place for attachments. No sweep has seen the new one yet. */
export async function replaceIdentity(db: Database, { id, placeId }: DatabaseIdentity): Promise<void> {
  const row = { id, place_id: placeId, sweep_generation: null, next_sweep_generation: null };
  await db
    .insertInto("database_identity")
    .values({ only_row: ONLY_ROW, ...row })
    .onConflict((conflict) => conflict.column("only_row").doUpdateSet(row))
    .execute();
}
