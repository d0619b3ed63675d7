import { countOn, insertRecords, takeYourTime, updateRecords } from "../dialect.ts";
import type { Store } from "../store.ts";
import type { Database } from "../tables.ts";
import { COPIED_TABLES, type CopiedTable } from "./copied-tables.ts";
import { numberOfRows, type Row, rowsOf, TableDigest } from "./table-digest.ts";

/** How far something that takes long has come. */
export interface Progress {
  /** What is done now: `copying attestations`. */
  readonly step: string;
  readonly done: number;
  readonly of: number;
}

export type OnProgress = (progress: Progress) => void;

/** What was copied. */
export interface CopiedRecords {
  readonly tables: number;
  readonly rows: number;
}

/** Tables that hold no record yet. */
export interface EmptyTables extends Pick<Store, "write" | "readTogether"> {
  /** Makes the tables ready to take many rows, has them filled, and brings them back to what they are. */
  filling?<T>(fill: () => Promise<T>): Promise<T>;
}

/**
 * Copies all records, as they are at one moment, into tables that hold none, and compares them: table by table, by
 * their number and a digest of all their values.
 *
 * @throws Error when the copy is not what was copied
 */
export async function copyRecords(
  from: Pick<Store, "readTogether">,
  to: EmptyTables,
  onProgress: OnProgress,
): Promise<CopiedRecords> {
  const { filling = (fill) => fill() } = to;
  const copied = await filling(() => copyTables(from, to, onProgress));
  await requireEqual(to, copied, onProgress);
  const rows = [...copied.values()].reduce((sum, table) => sum + table.rows, 0);
  return { tables: copied.size, rows };
}

type Digests = ReadonlyMap<string, ReturnType<TableDigest["end"]>>;

async function copyTables(
  from: Pick<Store, "readTogether">,
  to: EmptyTables,
  onProgress: OnProgress,
): Promise<Digests> {
  const copied = new Map<string, ReturnType<TableDigest["end"]>>();
  const references = new Map<string, Row[]>();
  await from.readTogether(async (db) => {
    await takeYourTime(db);
    for (const table of COPIED_TABLES) {
      const read = await copyTable(db, table, { to, onProgress });
      copied.set(table.name, read.digest);
      references.set(table.name, read.references);
    }
  });
  for (const [table, rows] of references)
    await to.write((target) => updateRecords(target, table, "id", rows));
  return copied;
}

/** Counts records that were copied in another way. */
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
    // One portion is read while the one before it is written.
    await written;
    written = to.write((target) => insertRecords(target, name, without(rows, later)));
    written.catch(() => {});
    if (later !== undefined) references.push(...referencesIn(rows, later));
    onProgress({ step: `copying ${name}`, done: digest.rows, of });
  }
  await written;
  if (counts !== undefined) await to.write((target) => countOn(target, name, counts));
  return { digest: digest.end(), references };
}

/** Rows without what may come later than they do. */
function without(rows: readonly Row[], later: string | undefined): readonly Row[] {
  return later === undefined ? rows : rows.map((row) => ({ ...row, [later]: null }));
}

function referencesIn(rows: readonly Row[], later: string): Row[] {
  return rows
    .filter((row) => row[later] !== null)
    .map(({ id = null, ...row }) => ({ id, [later]: row[later] ?? null }));
}

async function requireEqual(
  to: Pick<Store, "readTogether">,
  copied: Digests,
  onProgress: OnProgress,
): Promise<void> {
  await to.readTogether(async (db) => {
    await takeYourTime(db);
    for (const table of COPIED_TABLES) {
      const expected = copied.get(table.name);
      const digest = new TableDigest();
      for await (const rows of rowsOf(db, table)) {
        digest.add(rows);
        onProgress({ step: `comparing ${table.name}`, done: digest.rows, of: expected?.rows ?? 0 });
      }
      const found = digest.end();
      if (found.rows === expected?.rows && found.sha256 === expected.sha256) continue;
      throw new Error(
        `The copy of the table ${table.name} is not the same: ${expected?.rows} rows were read, ${found.rows} are there`,
      );
    }
  });
}
