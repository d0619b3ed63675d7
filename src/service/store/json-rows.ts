import { type RawBuilder, sql } from "kysely";
import type { Database, Tables } from "./tables.ts";

/*
 * Many values in one parameter, as JSON: a statement with them is the same for one value and for a hundred thousand,
 * so it is built and prepared once, and no limit on the number of parameters cuts it into portions.
 */

/** A list to look among: `where("fingerprint", "in", listed(fingerprints))`. */
export function listed(values: readonly string[]): RawBuilder<string> {
  return sql<string>`(select value from json_each(${JSON.stringify(values)}))`;
}

/** A row to be inserted, but what goes into the columns of JSON is given as it is, not as text. */
type Row<Table extends keyof Tables, Documents extends keyof Tables[Table]> = {
  readonly [Column in Exclude<keyof Tables[Table], Documents>]?: Tables[Table][Column] extends infer Type
    ? Extract<Type, string | number | null>
    : never;
} & { readonly [Column in Documents]: unknown };

/** Inserts rows in the order given, with one statement. All have the same columns. */
export async function insertRows<
  Table extends keyof Tables & string,
  Documents extends keyof Tables[Table] & string = never,
>(
  db: Database,
  table: Table,
  rows: readonly Row<Table, Documents>[],
  documents: readonly Documents[] = [],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const isDocument = new Set<string>(documents);
  const selected = columns.map((column, index) =>
    isDocument.has(column) ? sql`row -> ${sql.lit(index)}` : sql`row ->> ${sql.lit(index)}`,
  );
  const values = rows.map((row) => Object.values(row));
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(selected)} from (select jsonb(value) as row from json_each(${JSON.stringify(values)}))
  `.execute(db);
}
