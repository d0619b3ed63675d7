import { sql } from "kysely";
import type { Database } from "./tables.ts";

const COUNTERS = {
  organizations: "last_action_number",
  flows: "last_approval_number",
  policies: "last_event_number",
} as const;

/** Next number, from 1. The record stays locked until the write ends, so no number repeats or is lost. */
export async function nextNumber(db: Database, table: keyof typeof COUNTERS, recordId: string) {
  const counter = sql.ref(COUNTERS[table]);
  const { rows } = await sql<{ number: number }>`update ${sql.table(table)} set ${counter} = ${counter} + 1
    where id = ${recordId} returning ${counter} as number`.execute(db);
  const [taken] = rows;
  if (!taken) throw new Error(`'${recordId}' was not found in ${table}`);
  return taken.number;
}
