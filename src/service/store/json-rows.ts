import { CompiledQuery, type RawBuilder, sql } from "kysely";
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

/** SQLite's limit for one statement. */
const MAX_PARAMETERS = 32_766;

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
  const isDocument = columns.map((column) => documents.some((name) => name === column));
  const target = sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})`;
  if (rows.length * columns.length > MAX_PARAMETERS) {
    const values = JSON.stringify(rows.map((row) => Object.values(row)));
    const selected = isDocument.map((is, index) =>
      is ? sql`row -> ${sql.lit(index)}` : sql`row ->> ${sql.lit(index)}`,
    );
    await sql`${target} select ${sql.join(selected)}
      from (select jsonb(value) as row from json_each(${values}))`.execute(db);
    return;
  }
  // Reading rows out of JSON costs several times as much as a parameter for each value does.
  const { sql: start } = target.compile(db);
  const values = rows.flatMap((row) =>
    Object.values(row).map((value, index) => (isDocument[index] ? JSON.stringify(value) : value)),
  );
  const marks = `(${columns.map(() => "?").join()})`;
  await db.executeQuery(
    CompiledQuery.raw(`${start} values ${Array(rows.length).fill(marks).join()}`, values),
  );
}
