import { sql } from "kysely";
import { COPIED_TABLES, type CopiedTable, ROWS_AT_ONCE, type Row, rowsAfter } from "../copy/copied-tables.ts";
import { listed, listedNumbers } from "../dialect.ts";
import { jsonColumns } from "../schema.ts";
import { type Database, TABLES, type Tables } from "../tables.ts";
import { inSteps, type Moments } from "./in-steps.ts";
import { REFERENCES, type Reference } from "./references.ts";

export async function* rowDifferences(
  records: Moments,
  onCompared: (rows: number) => void,
): AsyncGenerator<string> {
  for (const table of COPIED_TABLES) {
    const references = REFERENCES.filter((reference) => reference.table === table.name);
    const columns = jsonColumns(TABLES[table.name]);
    const start: { last: Row | undefined } = { last: undefined };
    yield* inSteps(records, { start, onCompared }, async (db, { last }) => {
      const rows = await rowsAfter(db, table, last);
      const found: string[] = [];
      for (const reference of references) found.push(...(await dangling(db, table, reference, rows)));
      found.push(...unreadable(table, columns, rows));
      const next = rows.length < ROWS_AT_ONCE ? undefined : { last: rows.at(-1) };
      return { found, compared: rows.length, next };
    });
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
  const distinct = [...new Set(values)];
  const texts = distinct.filter((value) => typeof value === "string");
  const numbers = distinct.filter((value) => typeof value === "number");
  if (texts.length + numbers.length === 0) return new Map();
  const selected = sql.join([...new Set([by, ...columns])].map((column) => sql.ref(column)));
  const { rows } = await sql<Row>`select ${selected} from ${sql.table(to)}
    where ${sql.ref(by)} in ${numbers.length > 0 ? listedNumbers(numbers) : listed(texts)}`.execute(db);
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
