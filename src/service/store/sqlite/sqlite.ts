import { hash } from "node:crypto";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import {
  Kysely,
  type RawNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
} from "kysely";
import { foldCase } from "../../kernel/fold-case.ts";
import { type DialectKnown, writtenIn } from "../dialect.ts";
import type { Tables } from "../tables.ts";
import { sqliteDialect } from "./dialect.ts";
import { loadSqlite } from "./node-sqlite.ts";

export interface SqliteConnection {
  readonly database: DatabaseSync;
  readonly queries: Kysely<Tables>;
}

export interface SqliteOptions {
  readOnly?: boolean;
  /** Time that a statement waits for another process's write lock, in milliseconds. */
  lockTimeout: number;
}

/** Limit of the cache. The service has fewer distinct statements than this. */
const MAX_CACHED_STATEMENTS = 500;
/** The longest statement that is cached. A statement that inserts many rows is hardly ever reused. */
const MAX_CACHED_LENGTH = 10_000;

/** Pages of 4 KiB in the log before they are copied into the file. One large report writes a few thousand. */
const CHECKPOINT_PAGES = 16_000;
/** A larger cache does not speed up large reports, and each connection has its own. */
const CACHE_KIB = 16_000;

/** `synchronous=FULL` flushes the write-ahead log at each commit. */
export function openSqlite(file: string, { readOnly = false, lockTimeout }: SqliteOptions): SqliteConnection {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file, { timeout: lockTimeout, readOnly });
  if (!readOnly) {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  }
  database.exec(`PRAGMA foreign_keys = ON; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA temp_store = MEMORY`);
  // SQLite's own `lower` handles only ASCII.
  database.function("fold_case", { deterministic: true }, (text) => foldCase(String(text)));
  database.function("sha256_hex", { deterministic: true }, (text) => hash("sha256", String(text)));
  const queries = new Kysely<Tables>({ dialect: new Dialect({ database: forKysely(database) }) });
  return { database, queries };
}

class Dialect extends SqliteDialect {
  override createAdapter = () => new Adapter();
  override createQueryCompiler = () => new Compiler();
}

class Adapter extends SqliteAdapter implements DialectKnown {
  readonly dialect = sqliteDialect;
}

class Compiler extends SqliteQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(writtenIn(sqliteDialect, node));
  }
}

/** The part of the `better-sqlite3` interface that Kysely uses. */
function forKysely(database: DatabaseSync): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = cache.get(sql);
      if (known) return known;
      const statement = database.prepare(sql);
      const columns = statement.columns().map(({ name }) => name);
      // SQLite's own row objects take 50% longer to create, and longer to read.
      statement.setReturnArrays(true);
      const asRow = (values: unknown) => rowOf(columns, values);
      const prepared: SqliteStatement = {
        reader: columns.length > 0,
        all: (parameters) => statement.all(...parameters.map(bindable)).map(asRow),
        run: (parameters) => statement.run(...parameters.map(bindable)),
        *iterate(parameters) {
          for (const values of statement.iterate(...parameters.map(bindable))) yield asRow(values);
        },
      };
      if (sql.length > MAX_CACHED_LENGTH) return prepared;
      if (cache.size >= MAX_CACHED_STATEMENTS) cache.clear();
      cache.set(sql, prepared);
      return prepared;
    },
  };
}

function rowOf(columns: readonly string[], values: unknown): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  if (!Array.isArray(values)) return row;
  // An iterator takes three times as long.
  for (let place = 0; place < columns.length; place++) row[columns[place] ?? ""] = values[place];
  return row;
}

/** A value of a column as SQLite takes it. @throws TypeError for another type */
export function bindable(value: unknown): SQLInputValue {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
      return value;
    default:
      if (value === null || value instanceof Uint8Array) return value;
      throw new TypeError(`A ${typeof value} cannot be stored`);
  }
}
