import { sql } from "kysely";
import { atOneMoment, type Moments } from "../consistency/in-steps.ts";
import { deleteRecords, dialectOf, insertRecords } from "../dialect.ts";
import type { ChangedRows, Store } from "../store.ts";
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
  /** Prepares the tables for many rows in any order, runs `fill`, then restores them. */
  filling<T>(fill: () => Promise<T>): Promise<T>;
}

/** Copies one moment into empty tables, and compares counts and digests. @throws Error when they differ */
export async function copyRecords(
  from: Pick<Store, "readTogether" | "readAhead">,
  to: EmptyTables,
  {
    onProgress,
    tables = COPIED_TABLES,
  }: { onProgress: OnProgress; tables?: readonly CopiedTable[] | undefined },
): Promise<CopiedRecords> {
  const copied = await to.filling(() => copyTables(from, { to, onProgress, tables }));
  await requireEqual(to, copied, onProgress);
  const rows = [...copied.values()].reduce((sum, table) => sum + table.rows, 0);
  return { tables: copied.size, rows };
}

const NO_ROWS = new TableDigest().end();

type Digests = ReadonlyMap<string, ReturnType<TableDigest["end"]>>;

interface Copying {
  readonly to: Pick<Store, "write">;
  readonly onProgress: OnProgress;
}

async function copyTables(
  { readTogether, readAhead }: Pick<Store, "readTogether" | "readAhead">,
  { tables, ...copying }: Copying & { tables: readonly CopiedTable[] },
): Promise<Digests> {
  const copies = tables.map((table) => new TableCopy(table, copying));
  const complete = async (db: Database, changed?: ChangedRows) => {
    for (const copy of copies) await copy.complete(db, changed);
  };
  if (readAhead === undefined) await atOneMoment({ readTogether }, (db) => complete(db));
  else {
    let before = "";
    await readAhead({
      async ahead(db) {
        before = await migrationsOf(db);
        for (const copy of copies) await copy.copyAhead(db);
      },
      async rest(db, changed) {
        // An upgrade may change rows that the service never changes.
        if ((await migrationsOf(db)) !== before)
          throw new Error("The records were upgraded while they were copied: copy them again");
        await dialectOf(db).noTimeout?.execute(db);
        await complete(db, changed);
      },
    });
  }
  return new Map(copies.map(({ table, digest }) => [table.name, digest.end()]));
}

async function migrationsOf(db: Database): Promise<string> {
  const rows = await db.selectFrom("schema_migrations").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name).join();
}

class TableCopy {
  readonly table: CopiedTable;
  readonly digest = new TableDigest();
  readonly #copying: Copying;

  constructor(table: CopiedTable, copying: Copying) {
    this.table = table;
    this.#copying = copying;
  }

  async copyAhead(db: Database): Promise<void> {
    if (this.table.isGrowing) await this.#insert(rowsOf(db, this.table), await numberOfRows(db, this.table));
  }

  /** Makes the copy equal to the table at the moment of `db`. @param changed absent if nothing was copied ahead */
  async complete(db: Database, changed: ChangedRows | undefined): Promise<void> {
    const { table, digest } = this;
    const { to } = this.#copying;
    const of = await numberOfRows(db, table);
    if (changed !== undefined && table.isGrowing) await this.#replace(changed(table.name), of);
    else await this.#insert(rowsOf(db, table), of);
    if (digest.rows !== of) {
      // Rows that were copied ahead have been deleted.
      await to.write((target) => sql`delete from ${sql.table(table.name)}`.execute(target));
      digest.clear();
      await this.#insert(rowsOf(db, table), of);
    }
    const { counts } = table;
    if (counts === undefined) return;
    await to.write(async (target) => {
      await dialectOf(target).countOn(table.name, counts)?.execute(target);
    });
  }

  async #insert(pages: AsyncIterable<Row[]>, of: number): Promise<void> {
    const { to, onProgress } = this.#copying;
    const { name } = this.table;
    let written: Promise<unknown> = Promise.resolve();
    for await (const rows of pages) {
      this.digest.add(rows);
      // The next page is read while the last one is written.
      await written;
      written = to.write((target) => insertRecords(target, name, rows));
      written.catch(() => {});
      onProgress({ step: `copying ${name}`, done: this.digest.rows, of });
    }
    await written;
  }

  async #replace(pages: AsyncIterable<Row[]>, of: number): Promise<void> {
    const { to, onProgress } = this.#copying;
    const { name } = this.table;
    for await (const rows of pages) {
      const replaced = await to.write(async (target) => {
        const deleted = await deleteRecords(target, this.table, rows);
        await insertRecords(target, name, rows);
        return deleted;
      });
      this.digest.remove(replaced);
      this.digest.add(rows);
      onProgress({ step: `copying ${name}`, done: this.digest.rows, of });
    }
  }
}

export async function countRecords(records: Moments): Promise<CopiedRecords> {
  let rows = 0;
  for (const table of COPIED_TABLES) rows += await atOneMoment(records, (db) => numberOfRows(db, table));
  return { tables: COPIED_TABLES.length, rows };
}

async function requireEqual(to: Pick<Store, "readTogether">, copied: Digests, onProgress: OnProgress) {
  await atOneMoment(to, async (db) => {
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
