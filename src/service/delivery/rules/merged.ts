import type { Selectable } from "kysely";
import { listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";

/** Limits the size of a message. The rest becomes the next message. */
const MOST_MERGED = 200;

interface Leader {
  readonly id: string;
  readonly target_id: string;
  readonly merge_key: string | null;
  readonly attempts: number;
}

/**
 * Merges waiting deliveries into one that is about to be sent for the first time. From then on they have no schedule:
 * they end with it. A repeated attempt sends the same events.
 */
export async function mergeInto(
  db: Database,
  { id, target_id, merge_key, attempts }: Leader,
  at: number,
): Promise<void> {
  if (merge_key === null || attempts > 0) return;
  const waiting = await db
    .selectFrom("notification_deliveries")
    .select("id")
    .where("target_id", "=", target_id)
    .where("merge_key", "=", merge_key)
    .where("due_at", "is not", null)
    .where("attempts", "=", 0)
    .where("id", "!=", id)
    .where(({ or, eb }) => or([eb("leased_until", "is", null), eb("leased_until", "<=", at)]))
    .limit(MOST_MERGED)
    .execute();
  if (waiting.length === 0) return;
  await db
    .updateTable("notification_deliveries")
    .set({ merged_into: id, due_at: null, leased_by: null, leased_until: null })
    .where("id", "in", listed(waiting.map((each) => each.id)))
    .execute();
}

type Ended = Partial<
  Pick<Selectable<Tables["notification_deliveries"]>, "state" | "attempts" | "outcome" | "ended_at">
>;

/** Changes deliveries that are part of other ones, unless they have arrived. */
export async function changeMerged(db: Database, ids: readonly string[], columns: Ended): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("notification_deliveries")
    .set(columns)
    .where("merged_into", "in", listed(ids))
    .where("state", "!=", "delivered")
    .execute();
}

/** The events of deliveries that are part of other ones, by the id of those. */
export async function mergedEvents(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom("notification_deliveries as delivery")
    .innerJoin("notification_events as event", "event.id", "delivery.event_id")
    .select(["delivery.merged_into", "event.number", "event.payload"])
    .where("delivery.merged_into", "in", listed(ids))
    .orderBy("event.number")
    .execute();
  return Map.groupBy(rows, ({ merged_into }) => merged_into);
}
