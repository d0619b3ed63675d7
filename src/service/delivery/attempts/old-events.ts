import { letOthersIn } from "../../kernel/slices.ts";
import type { Job } from "../../ops/jobs.ts";
import { listed, updateRows } from "../../store/dialect.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import { changeMerged } from "../rules/merged.ts";
import type { Clock } from "./lease.ts";

const HOUR_MS = 60 * 60 * 1000;
const RETENTION_SECONDS = 30 * 24 * 60 * 60;
/** Batch size, small enough that requests do not wait for a batch. */
const AT_ONCE = 200;

interface Parts {
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
}

/**
 * Every hour, cancels deliveries of removed targets and fails those of disabled ones, which can be recovered later.
 * Then removes events and unused removed targets that are older than 30 days. Each step returns its number of rows.
 */
export function tidyDeliveries(parts: Parts): Job {
  return {
    name: "deliveries",
    failure: "Failed to remove old deliveries",
    everyMs: HOUR_MS,
    async run(stop) {
      await repeat(parts, stop, endSome);
      await repeat(parts, stop, removeDeliveries);
      await repeat(parts, stop, removeEvents);
      await repeat(parts, stop, removeTarget);
      await repeat(parts, stop, removeResults);
    },
  };
}

async function repeat(
  { store, clock }: Parts,
  stop: AbortSignal,
  work: (db: Database, at: number) => Promise<number>,
): Promise<void> {
  const slice = async (db: Database) => work(db, await clock(db));
  while (!stop.aborted && (await store.write(slice)) > 0) await letOthersIn();
}

async function endSome(db: Database, at: number): Promise<number> {
  const waiting = await db
    .selectFrom("notification_targets as target")
    .innerJoin("notification_deliveries as delivery", "delivery.target_id", "target.id")
    .select(["delivery.id", "target.removed_at"])
    .where(({ or, eb }) =>
      or([eb("target.removed_at", "is not", null), eb("target.ended_at", "is not", null)]),
    )
    .where("delivery.due_at", "is not", null)
    .limit(AT_ONCE)
    .execute();
  const ended = { due_at: null, ended_at: at, leased_by: null, leased_until: null };
  await updateRows(
    db,
    "notification_deliveries",
    "id",
    waiting.map(({ id, removed_at }) => ({
      id,
      state: removed_at === null ? ("failed" as const) : ("cancelled" as const),
      ...ended,
    })),
  );
  for (const state of ["failed", "cancelled"] as const) {
    const ids = waiting.filter(({ removed_at }) => (removed_at === null) === (state === "failed"));
    await changeMerged(
      db,
      ids.map(({ id }) => id),
      { state, ended_at: at },
    );
  }
  return waiting.length;
}

async function removeDeliveries(db: Database, at: number): Promise<number> {
  const oldest = await db
    .selectFrom(db.selectFrom("notification_targets").select("action_id").distinct().as("targeted"))
    .innerJoin("notification_deliveries as delivery", "delivery.action_id", "targeted.action_id")
    .select("delivery.id")
    .where("delivery.created_at", "<", at - RETENTION_SECONDS)
    .limit(AT_ONCE)
    .execute();
  if (oldest.length === 0) return 0;
  const ids = oldest.map(({ id }) => id);
  await db.deleteFrom("notification_attempts").where("delivery_id", "in", listed(ids)).execute();
  await db.deleteFrom("notification_deliveries").where("id", "in", listed(ids)).execute();
  return oldest.length;
}

/** Events go after their deliveries, which were created with them. */
async function removeEvents(db: Database, at: number): Promise<number> {
  const oldest = await db
    .selectFrom("notification_events")
    .select("id")
    .where("created_at", "<", at - RETENTION_SECONDS)
    .orderBy("created_at")
    .orderBy("id")
    .limit(AT_ONCE)
    .execute();
  if (oldest.length === 0) return 0;
  const ids = oldest.map(({ id }) => id);
  await db.deleteFrom("notification_events").where("id", "in", listed(ids)).execute();
  return oldest.length;
}

/** One at a time: each takes 0.1 s with a million deliveries. An index would slow down every insert. */
async function removeTarget(db: Database, at: number): Promise<number> {
  const target = await db
    .selectFrom("notification_targets as target")
    .select("target.id")
    .where("target.removed_at", "<", at - RETENTION_SECONDS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("notification_deliveries as delivery")
            .select("delivery.id")
            .whereRef("delivery.action_id", "=", "target.action_id")
            .whereRef("delivery.target_id", "=", "target.id"),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  if (!target) return 0;
  await db.deleteFrom("notification_targets").where("id", "=", target.id).execute();
  return 1;
}

/** Old results. A result of the same subject would count as a change again. */
async function removeResults(db: Database, at: number): Promise<number> {
  const oldest = await db
    .selectFrom("notified_results")
    .select("subject_id")
    .where("noted_at", "<", at - RETENTION_SECONDS)
    .orderBy("noted_at")
    .limit(AT_ONCE)
    .execute();
  const ids = oldest.map(({ subject_id }) => subject_id);
  if (ids.length > 0)
    await db.deleteFrom("notified_results").where("subject_id", "in", listed(ids)).execute();
  return ids.length;
}
