import {
  CompiledQuery,
  type Expression,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { jsonArrayFrom } from "kysely/helpers/sqlite";
import { foldCase } from "../kernel/fold-case.ts";
import { inSlices } from "../kernel/slices.ts";

/*
 * The SQL that engines write differently, as SQLite writes it: all of it is here and in `sqlite/`. Everything else
 * asks by the query builder, and means the same on every engine.
 */

/**
 * A list to look among: `where("fingerprint", "in", listed(fingerprints))`. It is one parameter, as JSON: a statement
 * is the same for one value and for a hundred thousand, so it is built and prepared once, and no limit on the number
 * of parameters cuts it into portions.
 */
export function listed<Value extends string | number>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`(select value from json_each(${JSON.stringify(values)}))`;
}

/** A number within a column of JSON, by its path there. */
export function jsonNumber(column: string, path: string): RawBuilder<number | null> {
  return sql`${sql.ref(column)} ->> ${path}`;
}

/** Whether a column holds a text, in any letter case, as a condition on a query. */
export function holdsText(column: string, text: string): Expression<SqlBool> {
  return sql<SqlBool>`instr(fold_case(${sql.ref(column)}), ${foldCase(text)}) > 0`;
}

/** Whether a column holds a text, in these very letters. */
export function holdsExactText(column: string, text: string): Expression<SqlBool> {
  return sql<SqlBool>`instr(${sql.ref(column)}, ${text}) > 0`;
}

/** The first character of a column: of a long text no more is read. */
export function firstCharacter(column: string): RawBuilder<string | null> {
  return sql<string | null>`substr(${sql.ref(column)}, 1, 1)`;
}

/** How many bytes the text of a column has. */
export function byteLength(column: string): RawBuilder<number> {
  return sql<number>`octet_length(${sql.ref(column)})`;
}

/** All rows of a query in one column, as the JSON text of a list of objects by column. */
export function rowsAsText<Scope, From extends keyof Scope, Row>(
  query: SelectQueryBuilder<Scope, From, Row>,
): RawBuilder<string> {
  return sql<string>`${jsonArrayFrom(query)}`;
}

/** Changes columns of several rows, each to values of its own, with one statement. All change the same columns. */
export async function updateRows<
  Tables,
  Table extends keyof Tables & string,
  Key extends keyof Tables[Table] & string,
  Column extends keyof Tables[Table] & string,
>(
  db: Kysely<Tables>,
  table: Table,
  key: Key,
  rows: readonly Readonly<Record<Key | Column, string | number | null>>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const value = (column: string) => sql`changed.value ->> ${sql.lit(column)}`;
  const columns = Object.keys(first).filter((column) => column !== key);
  const set = columns.map((column) => sql`${sql.ref(column)} = ${value(column)}`);
  await sql`update ${sql.table(table)} set ${sql.join(set)} from json_each(${JSON.stringify(rows)}) as changed
    where ${sql.ref(`${table}.${key}`)} = ${value(key)}`.execute(db);
}

/** A row to be inserted, but what goes into the columns of JSON is given as it is, not as text. */
type Row<Columns, Documents extends keyof Columns> = {
  readonly [Column in Exclude<keyof Columns, Documents>]?: Columns[Column] extends infer Type
    ? Extract<Type, string | number | null>
    : never;
} & { readonly [Column in Documents]: unknown };

/** SQLite's limit for one statement. */
const MAX_PARAMETERS = 32_766;

/**
 * Inserts rows in the order given, as many with each statement as it takes. All have the same columns. A value that is
 * the same in all rows is given once.
 */
export async function insertRows<
  Tables,
  Table extends keyof Tables & string,
  Documents extends keyof Tables[Table] & string = never,
>(
  db: Kysely<Tables>,
  table: Table,
  rows: readonly Row<Tables[Table], Documents>[],
  documents: readonly Documents[] = [],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const isDocument = new Set<string>(documents);
  const valuesOf = (row: object) =>
    Object.entries(row).map(([column, value]) => (isDocument.has(column) ? JSON.stringify(value) : value));
  const values = await inSlices(rows, (slice) => slice.map(valuesOf));
  // Each row needs one value of its own at least, or there would be nothing to tell how many there are.
  const own = columns.flatMap((_, index) =>
    index === 0 || values.some((row) => row[index] !== values[0]?.[index]) ? [index] : [],
  );
  const selected = columns.map((_, index) => (own.includes(index) ? `column${own.indexOf(index) + 1}` : "?"));
  const shared = (values[0] ?? []).filter((_, index) => !own.includes(index));
  const target = sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})`;
  const start = `${target.compile(db).sql} select ${selected.join()} from (values `;
  const marks = `(${own.map(() => "?").join()})`;
  const atOnce = Math.floor((MAX_PARAMETERS - shared.length) / own.length);
  const insert = async (some: readonly unknown[][]) => {
    const parameters = [...shared, ...some.flatMap((row) => own.map((index) => row[index]))];
    await db.executeQuery(CompiledQuery.raw(`${start}${Array(some.length).fill(marks).join()})`, parameters));
    return [];
  };
  await inSlices(values, insert, atOnce);
}

/** Writes a page without changing a record. @throws Error for the reason for which any write would fail now */
export async function writeNothing<Tables>(db: Kysely<Tables>): Promise<void> {
  // A number that SQLite keeps for its users, and that nobody here looks at: to set it takes a page and a commit.
  await sql`pragma user_version = 0`.execute(db);
}
