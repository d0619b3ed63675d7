import { sql } from "kysely";
import type { Database } from "./tables.ts";

/** The columns that count what belongs to a record, by its table. */
const COUNTERS = {
  organizations: "last_action_number",
  flows: "last_approval_number",
  policies: "last_event_number",
} as const;

/**
 * Takes the next number of what belongs to a record, from 1. Whoever takes one holds the record until it has written:
 * no number is given twice, and none is lost when the write fails.
 */
export async function nextNumber(
  db: Database,
  table: keyof typeof COUNTERS,
  recordId: string,
): Promise<number> {
  const counter = sql.ref(COUNTERS[table]);
  const { rows } = await sql<{ number: number }>`update ${sql.table(table)} set ${counter} = ${counter} + 1
    where id = ${recordId} returning ${counter} as number`.execute(db);
  const [taken] = rows;
  if (!taken) throw new Error(`There is no '${recordId}' among the ${table}`);
  return taken.number;
}
