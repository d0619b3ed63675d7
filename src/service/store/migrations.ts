import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { initial } from "./migrations/0001-initial.ts";
import { reading } from "./migrations/0002-reading.ts";
import { attestationKinds } from "./migrations/0003-attestations.ts";
import { environments } from "./migrations/0004-environments.ts";
import { policies } from "./migrations/0005-policies.ts";
import { accountsNotificationsApprovals } from "./migrations/0006-accounts-notifications-approvals.ts";
import { snapshotLookup } from "./migrations/0007-snapshot-lookup.ts";
import { unfiledSnapshots } from "./migrations/0008-unfiled-snapshots.ts";
import { runningIntervals } from "./migrations/0009-running-intervals.ts";

/** The steps that made the tables, in the order of their names. A released step never changes. */
export const migrations: Record<string, Migration> = {
  "0001-initial": statements(initial),
  "0002-reading": statements(reading),
  "0003-attestations": statements(attestationKinds),
  "0004-environments": statements(environments),
  "0005-policies": statements(policies),
  "0006-accounts-notifications-approvals": statements(accountsNotificationsApprovals),
  "0007-snapshot-lookup": statements(snapshotLookup),
  "0008-unfiled-snapshots": statements(unfiledSnapshots),
  "0009-running-intervals": runningIntervals,
};

/** A step of SQL statements, each ended by a semicolon. */
function statements(text: string): Migration {
  return { up: (db) => run(db, text) };
}

async function run(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(";")) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
}
