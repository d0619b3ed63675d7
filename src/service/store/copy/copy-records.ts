import { dialectOf, insertRecords, updateRecords } from "../dialect.ts";
import type { Store } from "../store.ts";
import type { Database } from "../tables.ts";
import {
  COPIED_TABLES,
  type CopiedTable,
  numberOfRows,
  type Row,
  rowsOf,
  TableDigest,
} from "./copied-tables.ts";

export interface Progress {
  /** The current step: `copying attestations`. */
  readonly step: string;
  readonly done: number;
  readonly of: number;
}

export type OnProgress = (progress: Progress) => void;

export interface CopiedRecords {
  readonly tables: number;
  readonly rows: number;
}

export interface EmptyTables extends Pick<Store, "write" | "readTogether"> {
  /** Prepares the tables for many rows, runs `fill`, then restores them. */
  filling?<T>(fill: () => Promise<T>): Promise<T>;
}

/** Copies one moment into empty tables, and compares counts and digests. @throws Error when they differ */
export async function copyRecords(
  from: Pick<Store, "readTogether">,
  to: EmptyTables,
  {
    onProgress,
    tables = COPIED_TABLES,
  }: { onProgress: OnProgress; tables?: readonly CopiedTable[] | undefined },
): Promise<CopiedRecords> {
  const { filling = (fill) => fill() } = to;
  const copied = await filling(() => copyTables(from, to, { onProgress, tables }));
  await requireEqual(to, copied, onProgress);
  const rows = [...copied.values()].reduce((sum, table) => sum + table.rows, 0);
  return { tables: copied.size, rows };
}

const NO_ROWS = new TableDigest().end();

type Digests = ReadonlyMap<string, ReturnType<TableDigest["end"]>>;

async function copyTables(
  from: Pick<Store, "readTogether">,
  to: EmptyTables,
  { onProgress, tables }: { onProgress: OnProgress; tables: readonly CopiedTable[] },
): Promise<Digests> {
  const copied = new Map<string, ReturnType<TableDigest["end"]>>();
  const references = new Map<string, Row[]>();
  await from.readTogether(async (db) => {
    await dialectOf(db).noTimeout?.execute(db);
    for (const table of tables) {
      const read = await copyTable(db, table, { to, onProgress });
      copied.set(table.name, read.digest);
      references.set(table.name, read.references);
    }
  });
  for (const [table, rows] of references)
    await to.write((target) => updateRecords(target, table, "id", rows));
  return copied;
}

export async function countRecords(db: Database): Promise<CopiedRecords> {
  let rows = 0;
  for (const table of COPIED_TABLES) rows += await numberOfRows(db, table);
  return { tables: COPIED_TABLES.length, rows };
}

async function copyTable(
  db: Database,
  table: CopiedTable,
  { to, onProgress }: { to: Pick<Store, "write">; onProgress: OnProgress },
) {
  const { name, later, counts } = table;
  const of = await numberOfRows(db, table);
  const digest = new TableDigest();
  const references: Row[] = [];
  let written: Promise<unknown> = Promise.resolve();
  for await (const rows of rowsOf(db, table)) {
    digest.add(rows);
    // The next page is read while the last one is written.
    await written;
    written = to.write((target) => insertRecords(target, name, without(rows, later)));
    written.catch(() => {});
    for (const column of later) references.push(...referencesIn(rows, column));
    onProgress({ step: `copying ${name}`, done: digest.rows, of });
  }
  await written;
  if (counts !== undefined) {
    await to.write(async (target) => {
      await dialectOf(target).countOn(name, counts)?.execute(target);
    });
  }
  return { digest: digest.end(), references };
}

function without(rows: readonly Row[], later: readonly string[]): readonly Row[] {
  if (later.length === 0) return rows;
  const empty = Object.fromEntries(later.map((column) => [column, null]));
  return rows.map((row) => ({ ...row, ...empty }));
}

function referencesIn(rows: readonly Row[], later: string): Row[] {
  return rows
    .filter((row) => row[later] !== null)
    .map(({ id = null, ...row }) => ({ id, [later]: row[later] ?? null }));
}

async function requireEqual(to: Pick<Store, "readTogether">, copied: Digests, onProgress: OnProgress) {
  await to.readTogether(async (db) => {
    await dialectOf(db).noTimeout?.execute(db);
    for (const table of COPIED_TABLES) {
      const expected = copied.get(table.name) ?? NO_ROWS;
      const digest = new TableDigest();
      for await (const rows of rowsOf(db, table)) {
        digest.add(rows);
        onProgress({ step: `comparing ${table.name}`, done: digest.rows, of: expected.rows });
      }
      const found = digest.end();
      if (found.rows === expected.rows && found.sha256 === expected.sha256) continue;
      throw new Error(
        `The copy of the table ${table.name} differs: ${expected.rows} rows were read, ${found.rows} were written`,
      );
    }
  });
}
