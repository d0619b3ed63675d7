import { sql } from "kysely";
import { letOthersIn } from "../../kernel/slices.ts";
import type { AheadReading, StoredRow } from "../store.ts";
import type { Database } from "../tables.ts";

/** 8 MB, unless the server was built with larger blocks. */
const BLOCKS_AT_ONCE = 1_000;

/** Begins a transaction that reads one snapshot. */
export function snapshotOf(db: Database) {
  return db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
}

export async function readAhead<T>(db: Database, { ahead, rest }: AheadReading<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ since: string }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as since`.execute(connection);
    const since = rows[0]?.since ?? "";
    await ahead(connection);
    return snapshotOf(connection).execute((moment) =>
      rest(moment, (table) => changedRows(moment, table, since)),
    );
  });
}

/**
 * Yields the rows that transactions from number `since` on have written, found by the number that PostgreSQL keeps in
 * each row. Reads the table in the order of its file, because no index has these numbers.
 */
async function* changedRows(db: Database, table: string, since: string): AsyncGenerator<StoredRow[]> {
  const { rows: sizes } = await sql<{ blocks: number }>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::bigint as blocks`.execute(
    db,
  );
  const blocks = sizes[0]?.blocks ?? 0;
  for (let block = 0; block < blocks; block += BLOCKS_AT_ONCE) {
    // Numbers wrap around, so very old rows have a negative age.
    const { rows } = await sql<StoredRow>`select * from ${sql.table(table)}
      where ctid >= ${`(${block},0)`}::tid and ctid < ${`(${block + BLOCKS_AT_ONCE},0)`}::tid
        and age(xmin) between 0 and age(${since}::xid8::xid)`.execute(db);
    if (rows.length > 0) yield rows;
    await letOthersIn();
  }
}
