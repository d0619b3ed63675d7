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

/*
 * The SQL that engines write differently, by what it means. How each of them writes it stands in `sqlite/dialect.ts`
 * and `postgres/dialect.ts`. Everything else asks by the query builder, and means the same on every engine.
 */

/** How an engine writes what engines write differently. */
export interface Dialect {
  /** The items of a JSON array, as a query of one column. */
  listed(json: string, items: "text" | "numbers"): RawBuilder<unknown>;
  /** A column's text in the form that {@link foldCase} gives it. */
  foldedCase(column: string): RawBuilder<unknown>;
  /** The sha256 of a text, in lower-case hex. */
  sha256Hex(text: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Whether a text is part of another. */
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<unknown>;
  /** All rows of a query, as the JSON text of a list of objects by column. */
  rowsAsText<Scope, From extends keyof Scope, Row>(
    query: SelectQueryBuilder<Scope, From, Row>,
  ): RawBuilder<unknown>;
  /** Changes rows, each to values of its own. */
  updateRows(changes: Changes): RawBuilder<unknown>;
  /** How many rows one statement inserts, when so many values of each are given and so many that are the same in all. */
  rowsAtOnce(own: number, shared: number): number;
  insertRows(rows: Inserted): CompiledQuery;
  /** Shows that records can be written, and changes none. */
  writeNothing: RawBuilder<unknown>;
  /** Has a column that counts up by itself go on after its highest number. Undefined where it always does. */
  countOn(table: string, column: string): RawBuilder<unknown> | undefined;
  /** Has deleted content overwritten in the file from now on. Undefined where a server looks after its files. */
  overwriteDeleted: RawBuilder<unknown> | undefined;
  /** What the engine finds damaged in its file. Nothing where a server looks after it. */
  damages<Tables>(db: Kysely<Tables>): Promise<string[]>;
  /** The names of the triggers of its tables, as `name`. */
  triggers: RawBuilder<{ name: string }>;
  /** Lets each query of a transaction take as long as it needs. Undefined where it may anyway. */
  unhurried: RawBuilder<unknown> | undefined;
  /** The time by the clock of the database, in Unix seconds with a fraction. */
  now: RawBuilder<unknown>;
  /** A statement about tables, with the types of their columns: it is given with `text`, `integer` and `double precision`. */
  inOwnTypes(statement: string): string;
}

/** Rows to be changed. */
interface Changes {
  readonly table: string;
  readonly key: string;
  /** The columns that change. */
  readonly columns: readonly string[];
  /** A JSON array of objects with the key and these columns. */
  readonly rows: string;
}

/** Rows to be inserted. */
interface Inserted {
  readonly table: string;
  /** What each row has of its own. */
  readonly columns: readonly string[];
  /** The values of these columns, row by row. */
  readonly values: readonly unknown[];
  /** What all rows have, by column. */
  readonly shared: readonly (readonly [column: string, value: unknown])[];
}

/** SQL that is written when its query is compiled, since only then it is known for which engine. */
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

/** A piece of SQL as an engine writes it. The compiler of each engine asks this of every piece that is not built. */
export function writtenIn(dialect: Dialect, node: RawNode): RawNode {
  if (!(node instanceof DialectNode)) return node;
  return RawNode.createWithChild(node.writtenIn(dialect).toOperationNode());
}

/** The adapter of a database, which knows its dialect. */
export interface DialectKnown extends DialectAdapter {
  readonly dialect: Dialect;
}

/** How the engine of a database writes it. */
export function dialectOf<Tables>(db: Kysely<Tables>): Dialect {
  const { adapter } = db.getExecutor();
  if (!isDialectKnown(adapter)) throw new Error("This database was not opened as a store");
  return adapter.dialect;
}

function isDialectKnown(adapter: DialectAdapter): adapter is DialectKnown {
  return "dialect" in adapter;
}

/**
 * A list to look among: `where("fingerprint", "in", listed(fingerprints))`. It is one parameter, as JSON: a statement
 * is the same for one value and for a hundred thousand, so it is built and prepared once, and no limit on the number
 * of parameters cuts it into portions.
 */
export function listed<Value extends string | number>(values: readonly Value[]): RawBuilder<Value> {
  const items = typeof values[0] === "number" ? "numbers" : "text";
  return inDialect((dialect) => dialect.listed(JSON.stringify(values), items));
}

/** Whether a column holds one of the values, as a condition on a query; undefined for values is no condition. */
export function isAmong(column: string, values: readonly string[] | undefined): Expression<SqlBool> {
  return values === undefined ? sql.lit(true) : sql<SqlBool>`${sql.ref(column)} in ${listed(values)}`;
}

/** Whether a column is a text, in any letter case, as a condition on a query. */
export function isSameText(column: string, text: string): Expression<SqlBool> {
  return inDialect((dialect) => sql<SqlBool>`${dialect.foldedCase(column)} = ${foldCase(text)}`);
}

/** Whether a column holds a text, in any letter case, as a condition on a query. */
export function holdsText(column: string, text: string): Expression<SqlBool> {
  return inDialect((dialect) => dialect.contains(dialect.foldedCase(column), foldCase(text)));
}

/** Whether a column holds a text, in these very letters. */
export function holdsExactText(column: string, text: string): Expression<SqlBool> {
  return inDialect((dialect) => dialect.contains(sql.ref(column), text));
}

/** The first character of a column: of a long text no more is read. */
export function firstCharacter(column: string): RawBuilder<string | null> {
  return sql<string | null>`substr(${sql.ref(column)}, 1, 1)`;
}

/** How many bytes the text of a column has. */
export function byteLength(column: string): RawBuilder<number> {
  return sql<number>`octet_length(${sql.ref(column)})`;
}

/** The sha256 of a column's text followed by another text, in lower-case hex. */
export function sha256After(column: string, text: string): RawBuilder<string> {
  return inDialect((dialect) => dialect.sha256Hex(sql`(${sql.ref(column)} || ${text})`));
}

/** All rows of a query in one column, as the JSON text of a list of objects by column. */
export function rowsAsText<Scope, From extends keyof Scope, Row>(
  query: SelectQueryBuilder<Scope, From, Row>,
): RawBuilder<string> {
  return inDialect((dialect) => dialect.rowsAsText(query));
}

/**
 * The time by the clock of the database, in Unix seconds: for what several instances agree on, whose clocks may differ.
 *
 * @param after seconds to add
 */
export function now(after = 0): RawBuilder<number> {
  return inDialect((dialect) => sql`${dialect.now} + ${sql.lit(after)}`);
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
  await updateRecords(db, table, key, rows);
}

/** As {@link updateRows}, for a table that is not known when this is compiled. */
export async function updateRecords<Tables>(
  db: Kysely<Tables>,
  table: string,
  key: string,
  rows: readonly Readonly<Record<string, string | number | null>>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).filter((column) => column !== key);
  await dialectOf(db)
    .updateRows({ table, key, columns, rows: JSON.stringify(rows) })
    .execute(db);
}

/** A row to be inserted, but what goes into the columns of JSON is given as it is, not as text. */
type Row<Columns, Documents extends keyof Columns> = {
  readonly [Column in Exclude<keyof Columns, Documents>]?: Columns[Column] extends infer Type
    ? Extract<Type, string | number | null>
    : never;
} & { readonly [Column in Documents]: unknown };

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
  await insertRecords(db, table, rows, documents);
}

/** As {@link insertRows}, for a table that is not known when this is compiled. */
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
  // Each row needs one value of its own at least, or there would be nothing to tell how many there are.
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

/** Shows that records can be written, and changes none. @throws Error for the reason for which any write would fail */
export async function writeNothing<Tables>(db: Kysely<Tables>): Promise<void> {
  await dialectOf(db).writeNothing.execute(db);
}

/** Has a column that counts up by itself go on after its highest number, which was not given by itself. */
export async function countOn<Tables>(db: Kysely<Tables>, table: string, column: string): Promise<void> {
  await dialectOf(db).countOn(table, column)?.execute(db);
}

/** Has deleted content overwritten in the file from now on, so that no secret of before is left there. */
export async function overwriteDeleted<Tables>(db: Kysely<Tables>): Promise<void> {
  await dialectOf(db).overwriteDeleted?.execute(db);
}

/** The names of the triggers of its tables. The service makes none. */
export async function triggers<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await dialectOf(db).triggers.execute(db);
  return rows.map(({ name }) => name);
}

/** What is damaged in the file of a database, in the words of its engine. */
export async function damages<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return dialectOf(db).damages(db);
}

/** Lets each query of the transaction that is open take as long as it needs: for what goes through all records. */
export async function takeYourTime<Tables>(db: Kysely<Tables>): Promise<void> {
  await dialectOf(db).unhurried?.execute(db);
}

/**
 * Runs a statement about tables, which every engine takes but for the types of columns. It names them as SQLite does:
 * `text`, which sorts by bytes, `integer` of 64 bits, `integer primary key` for a number that counts up by itself, and
 * `double precision`.
 */
export async function changeTables<Tables>(db: Kysely<Tables>, statement: string): Promise<void> {
  await sql.raw(dialectOf(db).inOwnTypes(statement)).execute(db);
}
