import type { Kysely } from "kysely";
import { BASELINE } from "./migrations.ts";

const LAST_FORMER_STEP = "0008-unfiled-snapshots";

/** The steps by which a version that was never released made the tables that the baseline makes at once. */
const FORMER_STEPS: readonly string[] = [
  "0001-initial",
  "0002-reading",
  "0003-attestations",
  "0004-environments",
  "0005-policies",
  "0006-accounts-notifications-approvals",
  "0007-snapshot-lookup",
  LAST_FORMER_STEP,
];

/** The steps that were applied to some tables, by today's names. Undefined for tables that were left halfway. */
export function currentSteps(applied: readonly string[]): string[] | undefined {
  const others = applied.filter((step) => !FORMER_STEPS.includes(step));
  if (others.length === applied.length) return others;
  const complete = FORMER_STEPS.every((step) => applied.includes(step));
  return complete ? [BASELINE, ...others] : undefined;
}

/** Writes the baseline in place of the former steps into the list of those that were applied. */
export async function renameFormerSteps(db: Kysely<{ kysely_migration: { name: string } }>): Promise<void> {
  const former = FORMER_STEPS.filter((step) => step !== LAST_FORMER_STEP);
  await db.deleteFrom("kysely_migration").where("name", "in", former).execute();
  await db
    .updateTable("kysely_migration")
    .set({ name: BASELINE })
    .where("name", "=", LAST_FORMER_STEP)
    .execute();
}
