import { sql } from "kysely";

/** The one column of a query that {@link countRows} is given. */
export const ROW_COUNT = sql<number>`count(*)`.as("rows");

interface CountingQuery {
  executeTakeFirstOrThrow(): Promise<{ rows: number }>;
}

/** How many rows a query finds: `countRows(query.select(ROW_COUNT))`. */
export async function countRows(query: CountingQuery): Promise<number> {
  const { rows } = await query.executeTakeFirstOrThrow();
  return Number(rows);
}
