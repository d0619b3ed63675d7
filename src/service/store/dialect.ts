import {
  type CompiledQuery,
  type DialectAdapter,
  type Expression,
  type Kysely,
  type OperationNode,
  type RawBuilder,
  RawNode,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { foldCase } from "../kernel/fold-case.ts";
import { inSlices } from "../kernel/slices.ts";
import type { SearchedWord, SearchedWords, SearchIndex } from "./search-index.ts";
import type { StoredRow } from "./store.ts";

// SQL that differs between engines, implemented in `sqlite/dialect.ts` and `postgres/dialect.ts`.

export interface Dialect {
  /** The items of a JSON array, as a query of one column. */
  listed(json: string | RawBuilder<string>, items: "text" | "numbers"): RawBuilder<unknown>;
  /** A column's text in the form that {@link foldCase} gives it. */
  foldedCase(column: string): RawBuilder<unknown>;
  sha256Hex(text: RawBuilder<unknown>): RawBuilder<unknown>;
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<unknown>;
  rowsAsText<Scope, From extends keyof Scope, Row>(
    query: SelectQueryBuilder<Scope, From, Row>,
  ): RawBuilder<unknown>;
  updateRows(changes: Changes): RawBuilder<unknown>;
  /** Deletes the rows with these keys, and returns them. @param rows a JSON array of objects with the key */
  deleteRows(table: string, key: readonly string[], rows: string): RawBuilder<StoredRow>;
  /** Rows that one statement can insert, for a number of values per row and a number shared by all rows. */
  rowsAtOnce(own: number, shared: number): number;
  insertRows(rows: Inserted): CompiledQuery;
  /** Checks that records can be written, without changing any. */
  writeNothing: RawBuilder<unknown>;
  /** Makes a counting column continue after its highest number. Undefined if it always does. */
  countOn(table: string, column: string): RawBuilder<unknown> | undefined;
  /** Makes the engine overwrite deleted content in its file from now on. Undefined for a server. */
  overwriteDeleted: RawBuilder<unknown> | undefined;
  /** Damage that the engine finds in its file. Empty for a server. */
  damages<Tables>(db: Kysely<Tables>): Promise<string[]>;
  triggers: RawBuilder<{ name: string }>;
  /** Removes the time limit for the queries of a transaction. Undefined if there is none. */
  noTimeout: RawBuilder<unknown> | undefined;
  /** The database's time, in Unix seconds with a fraction. */
  now: RawBuilder<unknown>;
  readonly searchIndex: SearchIndex;
  /** Translates the column types of a statement about tables from `text`, `integer` and `double precision`. */
  withNativeTypes(statement: string): string;
}

interface Changes {
  readonly table: string;
  readonly key: string;
  readonly columns: readonly string[];
  /** A JSON array of objects with the key and the changed columns. */
  readonly rows: string;
}

interface Inserted {
  readonly table: string;
  readonly columns: readonly string[];
  readonly values: readonly unknown[];
  /** Values that all rows share, by column. */
  readonly shared: readonly (readonly [column: string, value: unknown])[];
}

/** SQL that is generated when its query is compiled, because the engine is not known before. */
class DialectNode implements RawNode {
  readonly kind = "RawNode";
  readonly sqlFragments: readonly string[] = [];
  readonly parameters: readonly OperationNode[] = [];
  readonly writtenIn: (dialect: Dialect) => RawBuilder<unknown>;

  constructor(writtenIn: (dialect: Dialect) => RawBuilder<unknown>) {
    this.writtenIn = writtenIn;
  }
}

function inDialect<Type>(write: (dialect: Dialect) => RawBuilder<unknown>): RawBuilder<Type> {
  return sql<Type>`${{ toOperationNode: () => new DialectNode(write) }}`;
}

/** Writes an SQL fragment in the engine's dialect. Each engine's compiler calls this for raw fragments. */
export function writtenIn(dialect: Dialect, node: RawNode): RawNode {
  if (!(node instanceof DialectNode)) return node;
  return RawNode.createWithChild(node.writtenIn(dialect).toOperationNode());
}

/** The adapter of a database, which knows its dialect. */
export interface DialectKnown extends DialectAdapter {
  readonly dialect: Dialect;
}

export function dialectOf<Tables>(db: Kysely<Tables>): Dialect {
  const { adapter } = db.getExecutor();
  if (!isDialectKnown(adapter)) throw new Error("This database was not opened as a store");
  return adapter.dialect;
}

function isDialectKnown(adapter: DialectAdapter): adapter is DialectKnown {
  return "dialect" in adapter;
}

/** One JSON parameter, so that one prepared statement fits lists of any length. */
export function listed<Value extends string>(values: readonly Value[]): RawBuilder<Value> {
  return inDialect((dialect) => dialect.listed(JSON.stringify(values), "text"));
}

/** Integers as one JSON parameter. A function of its own, because an empty list does not show its type. */
export function listedNumbers(values: readonly number[]): RawBuilder<number> {
  return inDialect((dialect) => dialect.listed(JSON.stringify(values), "numbers"));
}

/** A list of texts that is given to a prepared statement as a JSON array. */
export function listedJson(json: RawBuilder<string>): RawBuilder<string> {
  return inDialect((dialect) => dialect.listed(json, "text"));
}

/** Works as {@link listedJson}, for integers. */
export function listedNumbersJson(json: RawBuilder<string>): RawBuilder<number> {
  return inDialect((dialect) => dialect.listed(json, "numbers"));
}

/** Whether a column has one of the values. Undefined values add no condition. */
export function isAmong(column: string, values: readonly string[] | undefined): Expression<SqlBool> {
  return values === undefined ? sql.lit(true) : sql<SqlBool>`${sql.ref(column)} in ${listed(values)}`;
}

export function isSameText(column: string, text: string): Expression<SqlBool> {
  return inDialect((dialect) => sql<SqlBool>`${dialect.foldedCase(column)} = ${foldCase(text)}`);
}

export function containsText(column: string, text: string): Expression<SqlBool> {
  return inDialect((dialect) => dialect.contains(dialect.foldedCase(column), foldCase(text)));
}

/** Marks that join the words of names: `acme/data-export`. */
const MARKS = ["-", "_", ".", "/", ":", "#", "@", "+", "~", "("];

/** Whether a word of a column begins with a text. */
export function hasWordStart(column: string, text: string): Expression<SqlBool> {
  const start = MARKS.reduce((part, mark) => part.replaceAll(mark, " "), ` ${foldCase(text)}`);
  return inDialect((dialect) => {
    const words = MARKS.reduce(
      (part, mark) => sql`replace(${part}, ${mark}, ' ')`,
      dialect.foldedCase(column),
    );
    return dialect.contains(sql`' ' || ${words}`, start);
  });
}

export function containsExactText(column: string, text: string): Expression<SqlBool> {
  return inDialect((dialect) => dialect.contains(sql.ref(column), text));
}

/** Whether a column of words, separated by spaces, has one word of each list. */
export function hasWords(column: string, words: SearchedWords): Expression<SqlBool> {
  const spaced = sql`' ' || ${sql.ref(column)} || ' '`;
  return inDialect((dialect) => {
    const has = ({ word, isStart }: SearchedWord) =>
      dialect.contains(spaced, ` ${word}${isStart ? "" : " "}`);
    const lists = words.map((any) => sql`(${sql.join(any.map(has), sql` or `)})`);
    return sql<SqlBool>`(${sql.join(lists, sql` and `)})`;
  });
}

/** A column's text, followed by another. */
export function appended(column: string, text: string): RawBuilder<string> {
  return sql<string>`${sql.ref(column)} || ${text}`;
}

/** The first character of a column, without reading the rest of a long text. */
export function firstCharacter(column: string): RawBuilder<string | null> {
  return sql<string | null>`substr(${sql.ref(column)}, 1, 1)`;
}

export function byteLength(column: string): RawBuilder<number> {
  return sql<number>`octet_length(${sql.ref(column)})`;
}

export function sha256After(column: string, text: string): RawBuilder<string> {
  return inDialect((dialect) => dialect.sha256Hex(sql`(${sql.ref(column)} || ${text})`));
}

export function rowsAsText<Scope, From extends keyof Scope, Row>(
  query: SelectQueryBuilder<Scope, From, Row>,
): RawBuilder<string> {
  return inDialect((dialect) => dialect.rowsAsText(query));
}

/** The database's time in Unix seconds, because the clocks of instances may differ. */
export function now(after = 0): RawBuilder<number> {
  return inDialect((dialect) => sql`${dialect.now} + ${sql.lit(after)}`);
}

/** Updates columns of several rows, each with its own values, in one statement. All rows change the same columns. */
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
  const columns = Object.keys(first).filter((column) => column !== key);
  await dialectOf(db)
    .updateRows({ table, key, columns, rows: JSON.stringify(rows) })
    .execute(db);
}

/** Deletes the rows with the keys of these, and returns them. */
export async function deleteRecords<Tables>(
  db: Kysely<Tables>,
  { name, key }: { readonly name: string; readonly key: readonly string[] },
  rows: readonly StoredRow[],
): Promise<StoredRow[]> {
  const keys = rows.map((row) => Object.fromEntries(key.map((column) => [column, row[column]])));
  const deleted = await dialectOf(db).deleteRows(name, key, JSON.stringify(keys)).execute(db);
  return deleted.rows;
}

/** A row to insert. JSON columns are given as values, not as text. */
type Row<Columns, Documents extends keyof Columns> = {
  readonly [Column in Exclude<keyof Columns, Documents>]?: Columns[Column] extends infer Type
    ? Extract<Type, string | number | null>
    : never;
} & { readonly [Column in Documents]: unknown };

/** Inserts rows in order, as many at once as a statement allows. Equal values are sent once. */
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
  await insertRecords(db, table, rows, documents);
}

/** Works as {@link insertRows}, for a table that is known only at run time. */
export async function insertRecords<Tables>(
  db: Kysely<Tables>,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  documents: readonly string[] = [],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const dialect = dialectOf(db);
  const isDocument = new Set(documents);
  const stored = (row: (typeof rows)[number], column: string) =>
    isDocument.has(column) ? JSON.stringify(row[column]) : row[column];
  const columns = Object.keys(first);
  // Each row needs at least one value of its own, because the values give the number of rows.
  const own = columns.filter(
    (column, index) => index === 0 || rows.some((row) => row[column] !== first[column]),
  );
  const shared = columns
    .filter((column) => !own.includes(column))
    .map((column) => [column, stored(first, column)] as const);
  const insert = async (some: typeof rows) => {
    const valuesIn = (slice: typeof rows) => slice.flatMap((row) => own.map((column) => stored(row, column)));
    const values = await inSlices(some, valuesIn);
    await db.executeQuery(dialect.insertRows({ table, columns: own, values, shared }));
    return [];
  };
  await inSlices(rows, insert, dialect.rowsAtOnce(own.length, shared.length));
}

export async function writeNothing<Tables>(db: Kysely<Tables>): Promise<void> {
  await dialectOf(db).writeNothing.execute(db);
}

export async function triggers<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await dialectOf(db).triggers.execute(db);
  return rows.map(({ name }) => name);
}

/** Takes SQLite's types: `text` sorts by bytes, `integer` has 64 bits and as primary key counts up. */
export async function changeTables<Tables>(db: Kysely<Tables>, statement: string): Promise<void> {
  await sql.raw(dialectOf(db).withNativeTypes(statement)).execute(db);
}

export const ROW_COUNT = sql<number>`count(*)`.as("rows");

interface CountingQuery {
  executeTakeFirstOrThrow(): Promise<{ rows: number }>;
}

/** Counts the rows that a query finds: `countRows(query.select(ROW_COUNT))`. */
export async function countRows(query: CountingQuery): Promise<number> {
  const { rows } = await query.executeTakeFirstOrThrow();
  return Number(rows);
}
