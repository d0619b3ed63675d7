import { letOthersIn } from "../../kernel/slices.ts";
import type { Job } from "../../ops/jobs.ts";
import { listed, updateRows } from "../../store/dialect.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import type { Clock } from "../clock.ts";

const HOUR_MS = 60 * 60 * 1000;
const KEPT_SECONDS = 30 * 24 * 60 * 60;
/** Few enough that no request waits for them to be removed. */
const AT_ONCE = 200;

interface Kept {
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
}

/**
 * Ends once an hour what targets would get that get nothing any more: for one that was removed it is cancelled, for one
 * that was switched off it has failed, so that it is recovered once the target is on again. Removes events of more than
 * 30 days ago, and targets that were removed before then, of which nothing is left.
 */
export function tidyDeliveries(kept: Kept): Job {
  return {
    name: "deliveries",
    failure: "Old deliveries could not be removed",
    everyMs: HOUR_MS,
    async run(stop) {
      await repeat(kept, stop, endSome);
      await repeat(kept, stop, removeDeliveries);
      await repeat(kept, stop, removeEvents);
      await repeat(kept, stop, removeTarget);
    },
  };
}

/** Does a work in slices until nothing is left of it. */
async function repeat(
  { store, clock }: Kept,
  stop: AbortSignal,
  work: (db: Database, at: number) => Promise<number>,
): Promise<void> {
  const slice = async (db: Database) => work(db, await clock(db));
  while (!stop.aborted && (await store.write(slice)) > 0) await letOthersIn();
}

/** @returns how many were ended */
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
  return waiting.length;
}

/** @returns how many deliveries were removed, each with its attempts */
async function removeDeliveries(db: Database, at: number): Promise<number> {
  const oldest = await db
    .selectFrom(db.selectFrom("notification_targets").select("action_id").distinct().as("told"))
    .innerJoin("notification_deliveries as delivery", "delivery.action_id", "told.action_id")
    .select("delivery.id")
    .where("delivery.created_at", "<", at - KEPT_SECONDS)
    .limit(AT_ONCE)
    .execute();
  if (oldest.length === 0) return 0;
  const ids = oldest.map(({ id }) => id);
  await db.deleteFrom("notification_attempts").where("delivery_id", "in", listed(ids)).execute();
  await db.deleteFrom("notification_deliveries").where("id", "in", listed(ids)).execute();
  return oldest.length;
}

/** Removes events whose deliveries are gone: each was made with its event. @returns how many */
async function removeEvents(db: Database, at: number): Promise<number> {
  const oldest = await db
    .selectFrom("notification_events")
    .select("id")
    .where("created_at", "<", at - KEPT_SECONDS)
    .orderBy("created_at")
    .orderBy("id")
    .limit(AT_ONCE)
    .execute();
  if (oldest.length === 0) return 0;
  const ids = oldest.map(({ id }) => id);
  await db.deleteFrom("notification_events").where("id", "in", listed(ids)).execute();
  return oldest.length;
}

/**
 * One at a time: the database looks through all deliveries for one that names it, 0.1 s of a million. An index would
 * cost more, as each delivery would have to be entered.
 *
 * @returns how many were removed: one, or none when there are no more
 */
async function removeTarget(db: Database, at: number): Promise<number> {
  const target = await db
    .selectFrom("notification_targets as target")
    .select("target.id")
    .where("target.removed_at", "<", at - KEPT_SECONDS)
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
