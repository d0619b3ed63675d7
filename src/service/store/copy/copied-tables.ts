import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { letOthersIn } from "../../kernel/slices.ts";
import { keyOf, laterReferences, type Table } from "../schema.ts";
import { type Database, TABLE_NAMES, TABLES, type Tables } from "../tables.ts";

export interface CopiedTable {
  readonly name: keyof Tables & string;
  /** The columns by which its rows are read page by page. Together they identify a row. */
  readonly key: readonly string[];
  /** Columns that refer to rows which may follow later. They are filled once all rows exist. */
  readonly later: readonly string[];
  readonly counts: string | undefined;
  /** A query with its rows in the form of this version; absent if they have it. */
  readonly query?: RawBuilder<Row>;
}

/** Running instances, sessions and state of the attachments. A copy starts without them. */
export const EMPTY_IN_COPIES = [
  "instances",
  "leases",
  "sessions",
  "access_tokens",
  "orphaned_attachments",
] as const;

/** Tables of which no row is copied, because the copy has its own migration history and identity. */
export const NOT_COPIED: readonly (keyof Tables)[] = [
  ...EMPTY_IN_COPIES,
  "schema_migrations",
  "database_identity",
];

/** All other tables, each after the tables that it refers to. */
export const COPIED_TABLES: readonly CopiedTable[] = TABLE_NAMES.filter(
  (name) => !NOT_COPIED.includes(name),
).map((name) => {
  const described: Table = TABLES[name];
  return {
    name,
    key: keyOf(described),
    later: laterReferences(TABLES, name),
    counts: Object.keys(described.columns).find((column) => described.columns[column]?.properties.counts),
  };
});

export type Row = Readonly<Record<string, string | number | null>>;

const ROWS_AT_ONCE = 2_000;

export async function* rowsOf(db: Database, { name, key, query }: CopiedTable): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let last: Row | undefined;
  for (;;) {
    const after = last && sql`where (${columns}) > (${sql.join(key.map((column) => last?.[column]))})`;
    const { rows } =
      await sql<Row>`select * from ${query === undefined ? sql.table(name) : sql`(${query}) as current`} ${after ?? sql``}
      order by ${columns} limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) return;
    await letOthersIn();
  }
}

export async function numberOfRows(db: Database, { name }: { readonly name: string }): Promise<number> {
  const { rows } = await sql<{ found: number }>`select count(*) as found from ${sql.table(name)}`.execute(db);
  return rows[0]?.found ?? 0;
}

export class TableDigest {
  readonly #hash = createHash("sha256");
  #rows = 0;

  add(rows: readonly Row[]): void {
    this.#rows += rows.length;
    // Engines may return columns in different orders.
    const columns = Object.keys(rows[0] ?? {}).sort();
    let text = "";
    for (const row of rows) text += `${JSON.stringify(columns.map((column) => row[column]))}\n`;
    this.#hash.update(`${JSON.stringify(columns)}\n`).update(text);
  }

  get rows(): number {
    return this.#rows;
  }

  end(): { rows: number; sha256: string } {
    return { rows: this.#rows, sha256: this.#hash.digest("hex") };
  }
}
