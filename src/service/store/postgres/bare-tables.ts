import type { DatabaseAddress } from "./address.ts";
import { connectionOf, openPool } from "./pool.ts";

/** Creating an index takes longer than a query may, and benefits from more memory than the default. */
const MAKING = "set statement_timeout = 0; set maintenance_work_mem = '256MB'";

interface Part {
  readonly name: string;
  readonly drop: string;
  readonly make: string;
}

/** In the order in which they can be dropped: foreign keys, indexes, and the unique constraints they refer to. */
const PARTS = `
  with constraints as (
    select contype, conname as name, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where contype in ('f', 'u') and connamespace = current_schema()::regnamespace
  )
  select 1 as place, name, drop, make from constraints where contype = 'f'
  union all
  select 2, relname, format('drop index %I', relname), pg_get_indexdef(indexrelid)
  from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = current_schema()::regnamespace
    and not exists (select 1 from pg_constraint where conindid = indexrelid)
  union all
  select 3, name, drop, make from constraints where contype = 'u'
  order by place, name`;

/** Creates foreign keys and indexes after filling, which is much faster. If filling fails, none are created. */
export async function fillBare<T>(
  address: DatabaseAddress,
  { fill, onProgress }: { fill: () => Promise<T>; onProgress: (made: { done: number; of: number }) => void },
): Promise<T> {
  const pool = openPool(address, { max: 1, name: "delivery-evidence" });
  try {
    // Finds the host, if the address has several.
    (await connectionOf(pool, "write")).release();
    const { rows: parts } = await pool.query<Part>(PARTS);
    for (const { drop } of parts) await pool.query(drop);
    const filled = await fill();
    // On one connection, because the settings end with it.
    const client = await connectionOf(pool, "write");
    try {
      await client.query(MAKING);
      for (const [index, { make }] of parts.toReversed().entries()) {
        await client.query(make);
        onProgress({ done: index + 1, of: parts.length });
      }
      await client.query("analyze");
    } finally {
      client.release(true);
    }
    return filled;
  } finally {
    await pool.end();
  }
}
