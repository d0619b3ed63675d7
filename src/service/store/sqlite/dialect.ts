import { CompiledQuery, type Kysely, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/sqlite";
import type { Dialect } from "../dialect.ts";
import { isCorruption } from "./node-sqlite.ts";
import { sqliteSearchIndex } from "./search-index.ts";

/** SQLite's limit for one statement. */
const MAX_PARAMETERS = 32_766;

/** SQLite's dialect. `fold_case` and `sha256_hex` are our functions, added to each connection. */
export const sqliteDialect: Dialect = {
  listed: (json) => sql`(select value from json_each(${json}))`,
  foldedCase: (column) => sql`fold_case(${sql.ref(column)})`,
  sha256Hex: (text) => sql`sha256_hex(${text})`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  rowsAsText: (query) => jsonArrayFrom(query),
  updateRows({ table, key, columns, rows }) {
    const value = (column: string) => sql`changed.value ->> ${sql.lit(column)}`;
    const set = columns.map((column) => sql`${sql.ref(column)} = ${value(column)}`);
    return sql`update ${sql.table(table)} set ${sql.join(set)} from json_each(${rows}) as changed
      where ${sql.ref(`${table}.${key}`)} = ${value(key)}`;
  },
  deleteRows(table, key, rows) {
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const values = sql.join(key.map((column) => sql`value ->> ${sql.lit(column)}`));
    return sql`delete from ${sql.table(table)} where (${columns}) in
      (select ${values} from json_each(${rows})) returning *`;
  },
  rowsAtOnce: (own, shared) => Math.floor((MAX_PARAMETERS - shared) / own),
  // As text, because building a statement of thirty thousand parameters takes longer than running it.
  insertRows({ table, columns, values, shared }) {
    const names = [...shared.map(([column]) => column), ...columns].map((name) => `"${name}"`);
    const selected = [...shared.map(() => "?"), ...columns.map((_, index) => `column${index + 1}`)];
    const row = `(${columns.map(() => "?").join()})`;
    const rows = Array(values.length / columns.length)
      .fill(row)
      .join();
    const text = `insert into "${table}" (${names.join()}) select ${selected.join()} from (values ${rows})`;
    return CompiledQuery.raw(text, [...shared.map(([, value]) => value), ...values]);
  },
  // A number that SQLite reserves for applications and this one does not use. Setting it writes a page and a commit.
  writeNothing: sql`pragma user_version = 0`,
  countOn: () => undefined,
  overwriteDeleted: sql`pragma secure_delete = on`,
  damages,
  triggers: sql`select name from sqlite_master where type = 'trigger' order by name`,
  noTimeout: undefined,
  now: sql`unixepoch('subsec')`,
  searchIndex: sqliteSearchIndex,
  withNativeTypes: (statement) => statement,
};

/** Damage in the file, in SQLite's words. */
async function damages<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const check = sql<{ found: string }>`
    select integrity_check as found from pragma_integrity_check where integrity_check <> 'ok'`;
  try {
    const { rows } = await check.execute(db);
    // SQLite puts a headline above the damage of a file.
    return rows.flatMap(({ found }) => found.split("\n")).filter((line) => !line.startsWith("***"));
  } catch (error) {
    // The damaged page may be needed to check the others.
    if (isCorruption(error)) return [error.message];
    throw error;
  }
}
