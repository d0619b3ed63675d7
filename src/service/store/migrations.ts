import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { changeTables } from "./dialect.ts";
import { baseline } from "./migrations/0001-baseline.ts";
import { runningIntervals } from "./migrations/0009-running-intervals.ts";
import { keptCompliance } from "./migrations/0010-kept-compliance.ts";
import { counters } from "./migrations/0011-counters.ts";

/** The step that stands for those of `former-steps.ts`, which is why the next one has a higher number. */
export const BASELINE = "0001-baseline";

/** The steps that made the tables, in the order of their names. A released step never changes. */
export const migrations: Record<string, Migration> = {
  [BASELINE]: statements(baseline),
  "0009-running-intervals": runningIntervals,
  "0010-kept-compliance": keptCompliance,
  "0011-counters": statements(counters),
};

/** A step of SQL statements, each ended by a semicolon. */
function statements(text: string): Migration {
  return { up: (db) => run(db, text) };
}

async function run(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(";")) {
    if (statement.trim() !== "") await changeTables(db, statement);
  }
}
