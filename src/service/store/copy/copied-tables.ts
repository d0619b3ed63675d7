import { hash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { letOthersIn } from "../../kernel/slices.ts";
import { keyOf, type Table } from "../schema.ts";
import type { StoredRow } from "../store.ts";
import { type Database, TABLE_NAMES, TABLES, type Tables } from "../tables.ts";

export interface CopiedTable {
  readonly name: keyof Tables & string;
  /** The columns by which its rows are read page by page. Together they identify a row. */
  readonly key: readonly string[];
  readonly counts: string | undefined;
  /** Whether most rows are copied ahead of the rest. */
  readonly isGrowing: boolean;
  /** A query with its rows in the form of this version; absent if they have it. */
  readonly query?: RawBuilder<Row>;
}

/** Running instances, sessions, sign-ins in progress and state of the attachments. A copy starts without them. */
export const EMPTY_IN_COPIES = [
  "instances",
  "leases",
  "sessions",
  "device_logins",
  "access_tokens",
  "orphaned_attachments",
] as const;

/** Tables of which no row is copied, because the copy has its own migration history and identity. */
export const NOT_COPIED: readonly (keyof Tables)[] = [
  ...EMPTY_IN_COPIES,
  "schema_migrations",
  "database_identity",
];

/**
 * Tables that grow with each attestation. Most of their rows are copied ahead of the rest, so no unique value other than
 * the key may move from one row to another. Rows are seldom or never deleted.
 */
const GROWING: readonly (keyof Tables)[] = [
  ...["audit_log", "attestations", "events", "artifacts", "attachments", "attestation_targets"],
  ...["control_decisions", "latest_attestations", "record_origins", "snapshots", "trail_repos", "trails"],
  "search_documents",
] as const;

/** All other tables, each after the tables that it refers to. */
export const COPIED_TABLES: readonly CopiedTable[] = TABLE_NAMES.filter(
  (name) => !NOT_COPIED.includes(name),
).map((name) => {
  const described: Table = TABLES[name];
  return {
    name,
    key: keyOf(described),
    counts: Object.keys(described.columns).find((column) => described.columns[column]?.properties.counts),
    isGrowing: GROWING.includes(name),
  };
});

export type Row = StoredRow;

export const ROWS_AT_ONCE = 2_000;

/** Yields the rows in the order of their key. */
export async function* rowsOf(db: Database, table: CopiedTable): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await rowsAfter(db, table, last);
    if (rows.length > 0) yield rows;
    last = rows.at(-1) ?? last;
    if (rows.length < ROWS_AT_ONCE) return;
    await letOthersIn();
  }
}

/** The next rows in the order of their key: {@link ROWS_AT_ONCE}, or fewer if they are the last ones. */
export async function rowsAfter(
  db: Database,
  { name, key, query }: CopiedTable,
  last: Row | undefined,
): Promise<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const after = last && sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  const { rows } =
    await sql<Row>`select * from ${query === undefined ? sql.table(name) : sql`(${query}) as current`} ${after ?? sql``}
    order by ${columns} limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
  return rows;
}

export async function numberOfRows(db: Database, { name }: { readonly name: string }): Promise<number> {
  const { rows } = await sql<{ found: number }>`select count(*) as found from ${sql.table(name)}`.execute(db);
  return rows[0]?.found ?? 0;
}

/** A digest of rows in any order. */
export class TableDigest {
  readonly #sum = Buffer.alloc(32);
  #rows = 0;

  add(rows: readonly Row[]): void {
    this.#rows += rows.length;
    this.#mix(rows);
  }

  remove(rows: readonly Row[]): void {
    this.#rows -= rows.length;
    this.#mix(rows);
  }

  clear(): void {
    this.#rows = 0;
    this.#sum.fill(0);
  }

  /** Mixing in a row again removes it. */
  #mix(rows: readonly Row[]): void {
    // Engines may return columns in different orders.
    const columns = Object.keys(rows[0] ?? {}).sort();
    const names = JSON.stringify(columns);
    for (const row of rows) {
      const digest = hash(
        "sha256",
        `${names}${JSON.stringify(columns.map((column) => row[column]))}`,
        "buffer",
      );
      for (let index = 0; index < digest.length; index++)
        this.#sum[index] = (this.#sum[index] ?? 0) ^ (digest[index] ?? 0);
    }
  }

  get rows(): number {
    return this.#rows;
  }

  end(): { rows: number; sha256: string } {
    return { rows: this.#rows, sha256: this.#sum.toString("hex") };
  }
}
