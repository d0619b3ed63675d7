import type { Selectable } from "kysely";
import { NotFound } from "../../kernel/errors.ts";
import type { DeliveryPosition } from "../../notifications/delivery-cursor.ts";
import { listed } from "../../store/dialect.ts";
import type { DeliveryState } from "../../store/notification-tables.ts";
import type { Database, Tables } from "../../store/tables.ts";

/** What deliveries to find. */
export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  trigger?: string | undefined;
  targetId?: string | undefined;
  /** Unix seconds: of what happened then or later. */
  from?: number | undefined;
  /** Unix seconds: of what happened before then. */
  to?: number | undefined;
  /** Only what comes after this place. */
  after?: DeliveryPosition | undefined;
}

/** A delivery with its target, and the trigger of its event. */
export type DeliveryRow = Awaited<ReturnType<typeof newestDeliveries>>[number];

/** The newest deliveries of an action that pass a filter, newest first. */
export function newestDeliveries(
  db: Database,
  actionId: string,
  { state, trigger, targetId, from, to, after }: DeliveryFilter,
  limit: number,
) {
  let rows = deliveriesOf(db, actionId);
  if (state !== undefined) rows = rows.where("delivery.state", "=", state);
  // So the index of what has ended is used, which has nothing else.
  if (state !== undefined && state !== "pending") rows = rows.where("delivery.ended_at", "is not", null);
  if (trigger !== undefined) rows = rows.where("event.event_trigger", "=", trigger);
  if (targetId !== undefined) rows = rows.where("delivery.target_id", "=", targetId);
  if (from !== undefined) rows = rows.where("delivery.created_at", ">=", from);
  if (to !== undefined) rows = rows.where("delivery.created_at", "<", to);
  if (after) {
    const { createdAt, id } = after;
    rows = rows.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("delivery.created_at", "delivery.id"), "<", tuple(createdAt, id)),
    );
  }
  return rows.orderBy("delivery.created_at", "desc").orderBy("delivery.id", "desc").limit(limit).execute();
}

/** @throws NotFound */
export async function requireDelivery(
  db: Database,
  actionId: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  const found = await deliveriesOf(db, actionId).where("delivery.id", "=", deliveryId).executeTakeFirst();
  if (!found) throw new NotFound("Delivery not found");
  return found;
}

function deliveriesOf(db: Database, actionId: string) {
  return db
    .selectFrom("notification_deliveries as delivery")
    .innerJoin("notification_events as event", "event.id", "delivery.event_id")
    .innerJoin("notification_targets as target", "target.id", "delivery.target_id")
    .select(["delivery.id", "delivery.event_id", "delivery.state", "delivery.attempts", "delivery.due_at"])
    .select(["delivery.outcome", "delivery.created_at", "delivery.ended_at", "event.event_trigger"])
    .select(["target.kind", "target.shown", "target.position", "target.removed_at"])
    .where("delivery.action_id", "=", actionId);
}

/** The event that a delivery tells of, as far as its body is made of it. */
export function eventOf(db: Database, { event_id }: Pick<DeliveryRow, "event_id">) {
  return db
    .selectFrom("notification_events")
    .select(["number", "payload"])
    .where("id", "=", event_id)
    .executeTakeFirstOrThrow();
}

export type AttemptRow = Selectable<Tables["notification_attempts"]>;

/** The attempts of deliveries, in their order. */
export function attemptsOf(db: Database, deliveryIds: readonly string[]): Promise<AttemptRow[]> {
  return db
    .selectFrom("notification_attempts")
    .selectAll()
    .where("delivery_id", "in", listed(deliveryIds))
    .orderBy("number")
    .execute();
}

/** How many deliveries one request makes due again. */
const RECOVERED_AT_ONCE = 10_000;

interface Recovery {
  readonly targetIds: readonly string[];
  /** Unix seconds, of what happened then or later. */
  readonly since: number;
  /** Unix seconds, of what happened before then. */
  readonly until?: number | undefined;
  readonly now: number;
}

/** Makes what failed due again, the oldest first, but no example. */
export async function recover(
  db: Database,
  actionId: string,
  { targetIds, since, until, now }: Recovery,
): Promise<{ recovered: number; more: boolean }> {
  let failed = db
    .selectFrom("notification_deliveries")
    .select("id")
    .where("action_id", "=", actionId)
    .where("state", "=", "failed")
    .where("ended_at", "is not", null)
    .where("is_example", "=", 0)
    .where("target_id", "in", listed(targetIds))
    .where("created_at", ">=", since);
  if (until !== undefined) failed = failed.where("created_at", "<", until);
  const found = await failed
    .orderBy("created_at")
    .orderBy("id")
    .limit(RECOVERED_AT_ONCE + 1)
    .execute();
  const ids = found.slice(0, RECOVERED_AT_ONCE).map(({ id }) => id);
  await db
    .updateTable("notification_deliveries")
    .set({ state: "pending", due_at: now, ended_at: null })
    .where("id", "in", listed(ids))
    .execute();
  return { recovered: ids.length, more: found.length > ids.length };
}
