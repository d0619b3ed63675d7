import { sql } from "kysely";
import { changeTables } from "./dialect.ts";
import type { Database } from "./tables.ts";

/** A table of this name says that the others are being filled, and hold only a part of what they are to hold. */
export const UNFINISHED_COPY = "unfinished_copy";

/** Notes that the tables are being filled: until {@link finishCopy} nobody serves them. */
export async function beginCopy(db: Database): Promise<void> {
  await changeTables(db, `create table ${UNFINISHED_COPY} (note text not null)`);
}

export async function finishCopy(db: Database): Promise<void> {
  await sql`drop table ${sql.table(UNFINISHED_COPY)}`.execute(db);
}

/** Why records that were copied halfway are not served, and what to do. */
export function unfinishedCopy(place: string): Error {
  return new Error(
    `The records in ${place} are a copy that did not come to its end: copy again to an empty place, and remove this one`,
  );
}
