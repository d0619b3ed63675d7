import { sql } from "kysely";
import { COPIED_TABLES, type CopiedTable, type Row, rowsOf } from "../copy/copied-tables.ts";
import type { OnProgress } from "../copy/copy-records.ts";
import { listed } from "../dialect.ts";
import { jsonColumns } from "../schema.ts";
import { type Database, TABLES, type Tables } from "../tables.ts";
import { REFERENCES, type Reference } from "./references.ts";

export async function* rowDifferences(
  db: Database,
  { onProgress, of }: { onProgress: OnProgress; of: number },
): AsyncGenerator<string> {
  let done = 0;
  for (const table of COPIED_TABLES) {
    const references = REFERENCES.filter((reference) => reference.table === table.name);
    const columns = jsonColumns(TABLES[table.name]);
    for await (const rows of rowsOf(db, table)) {
      for (const reference of references) yield* await dangling(db, table, reference, rows);
      yield* unreadable(table, columns, rows);
      done += rows.length;
      onProgress({ step: "verifying records", done, of });
    }
  }
}

async function dangling(
  db: Database,
  table: CopiedTable,
  { column, to, by, same, resourceType }: Reference,
  rows: readonly Row[],
): Promise<string[]> {
  const referring = rows.filter(
    (row) => row[column] !== null && (resourceType === undefined || row["resource_type"] === resourceType),
  );
  const named = await rowsBy(
    db,
    { to, by, columns: Object.values(same) },
    referring.map((row) => row[column]),
  );
  return referring.flatMap((row) => {
    const found = named.get(row[column] ?? null);
    if (found === undefined)
      return [`${nameOf(table, row)}: ${column} ${shown(row[column])} is not in ${to}`];
    return Object.entries(same)
      .filter(([own, other]) => row[own] !== found[other])
      .map(
        ([own, other]) =>
          `${nameOf(table, row)}: ${own} is ${shown(row[own])}, but ${other} of its row in ${to} is ${shown(found[other])}`,
      );
  });
}

async function rowsBy(
  db: Database,
  { to, by, columns }: { to: keyof Tables; by: string; columns: readonly string[] },
  values: readonly (string | number | null | undefined)[],
): Promise<ReadonlyMap<string | number | null, Row>> {
  const distinct = [...new Set(values)].filter((value) => value !== undefined && value !== null);
  if (distinct.length === 0) return new Map();
  const selected = sql.join([...new Set([by, ...columns])].map((column) => sql.ref(column)));
  const { rows } = await sql<Row>`select ${selected} from ${sql.table(to)}
    where ${sql.ref(by)} in ${listed(distinct)}`.execute(db);
  return new Map(rows.map((row) => [row[by] ?? null, row]));
}

function* unreadable(
  table: CopiedTable,
  columns: readonly string[],
  rows: readonly Row[],
): Generator<string> {
  for (const row of rows) {
    for (const column of columns) {
      const text = row[column];
      if (typeof text === "string" && !isJson(text)) yield `${nameOf(table, row)}: ${column} is not JSON`;
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function nameOf({ name, key }: CopiedTable, row: Row): string {
  return `${name} ${key.map((column) => shown(row[column])).join(" ")}`;
}

function shown(value: string | number | null | undefined): string {
  return JSON.stringify(value ?? null);
}
