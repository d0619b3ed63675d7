import { CompiledQuery, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Dialect } from "../dialect.ts";

/** A statement has one parameter, however many rows it inserts: enough that a large one is made in slices. */
const ROWS_AT_ONCE = 2_000;

/** How PostgreSQL writes it. */
export const postgresDialect: Dialect = {
  listed(json, items) {
    const value = items === "numbers" ? sql`value::bigint` : sql`value`;
    return sql`(select ${value} from json_array_elements_text(${json}::json))`;
  },
  jsonNumber: (column, path) =>
    sql`(${sql.ref(column)}::json #>> ${sql.lit(`{${path.join()}}`)})::double precision`,
  // The rules of letter case of all scripts, which are those of JavaScript; those of the database may know ASCII only.
  foldedCase: (column) =>
    sql`normalize(upper(lower(normalize(${sql.ref(column)}) collate "und-x-icu")))`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  rowsAsText: (query) => sql`${jsonArrayFrom(query)}::text`,
  updateRows({ table, key, columns, rows }) {
    const set = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`changed.${column}`)}`);
    return sql`update ${sql.table(table)} set ${sql.join(set)}
      from json_populate_recordset(null::${sql.table(table)}, ${rows}::json) as changed
      where ${sql.ref(`${table}.${key}`)} = ${sql.ref(`changed.${key}`)}`;
  },
  rowsAtOnce: () => ROWS_AT_ONCE,
  // The types of the columns are those of the table: no statement has to name them.
  insertRows({ table, columns, rows, shared }) {
    const common = Object.fromEntries(shared);
    const records = rows.map((row) => ({
      ...common,
      ...Object.fromEntries(columns.map((column, index) => [column, row[index]])),
    }));
    const names = [...shared.map(([column]) => column), ...columns].map((name) => `"${name}"`).join();
    return CompiledQuery.raw(
      `insert into "${table}" (${names}) select ${names} from json_populate_recordset(null::"${table}", $1::json)`,
      [JSON.stringify(records)],
    );
  },
  writeNothing: sql`select pg_current_xact_id()`,
};
