import { CompiledQuery, type Kysely, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/sqlite";
import type { Dialect } from "../dialect.ts";
import { isCorruption } from "./node-sqlite.ts";

/** SQLite's limit for one statement. */
const MAX_PARAMETERS = 32_766;

/** How SQLite writes it. `fold_case` and `sha256_hex` are our own, given to each connection. */
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
  rowsAtOnce: (own, shared) => Math.floor((MAX_PARAMETERS - shared) / own),
  // As text: to build a statement of thirty thousand parameters takes longer than to run it.
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
  // A number that SQLite keeps for its users, and that nobody here looks at: to set it takes a page and a commit.
  writeNothing: sql`pragma user_version = 0`,
  countOn: () => undefined,
  overwriteDeleted: sql`pragma secure_delete = on`,
  damages,
  triggers: sql`select name from sqlite_master where type = 'trigger' order by name`,
  unhurried: undefined,
  now: sql`unixepoch('subsec')`,
  inOwnTypes: (statement) => statement,
};

/** What SQLite finds damaged in its file, in its own words. */
async function damages<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const check = sql<{ found: string }>`
    select integrity_check as found from pragma_integrity_check where integrity_check <> 'ok'`;
  try {
    const { rows } = await check.execute(db);
    // A headline stands above the damages of a file.
    return rows.flatMap(({ found }) => found.split("\n")).filter((line) => !line.startsWith("***"));
  } catch (error) {
    // What is damaged may be needed to look at the rest.
    if (isCorruption(error)) return [error.message];
    throw error;
  }
}
