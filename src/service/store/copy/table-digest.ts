import { createHash } from "node:crypto";
import { sql } from "kysely";
import { letOthersIn } from "../../kernel/slices.ts";
import type { Database } from "../tables.ts";
import type { CopiedTable } from "./copied-tables.ts";

/** A row of any table, by column. */
export type Row = Readonly<Record<string, string | number | null>>;

const ROWS_AT_ONCE = 2_000;

/** All rows of a table in the order of its key, a portion at a time. */
export async function* rowsOf(db: Database, { name, key }: CopiedTable): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let last: Row | undefined;
  for (;;) {
    const after = last && sql`where (${columns}) > (${sql.join(key.map((column) => last?.[column]))})`;
    const { rows } = await sql<Row>`select * from ${sql.table(name)} ${after ?? sql``}
      order by ${columns} limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) return;
    await letOthersIn();
  }
}

export async function numberOfRows(db: Database, { name }: CopiedTable): Promise<number> {
  const { rows } = await sql<{ found: number }>`select count(*) as found from ${sql.table(name)}`.execute(db);
  return rows[0]?.found ?? 0;
}

/** The rows of a table, and a digest of all their values in the order of its key. */
export class TableDigest {
  readonly #hash = createHash("sha256");
  #rows = 0;

  add(rows: readonly Row[]): void {
    this.#rows += rows.length;
    // Engines may give the columns in another order.
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
