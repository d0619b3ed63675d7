import type { InferResult } from "kysely";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { type Delivery, type Senders, sendBy } from "../sent.ts";
import type { Attempt } from "./record.ts";

/** Deliveries with what is sent and where it goes, what is due first before what is due later. */
export async function deliveriesToSend(db: Database, ids: readonly string[]): Promise<Delivery[]> {
  return (await selectDeliveries(db, ids).execute()).map(deliveryOf);
}

/** A delivery as it is by now, unless it is to be sent no more: it was delivered or cancelled, or its target ended. */
export async function deliveryStillToSend(db: Database, id: string): Promise<Delivery | undefined> {
  const row = await selectDeliveries(db, [id])
    .where("delivery.due_at", "is not", null)
    .where("target.removed_at", "is", null)
    .where("target.ended_at", "is", null)
    .executeTakeFirst();
  return row && deliveryOf(row);
}

function selectDeliveries(db: Database, ids: readonly string[]) {
  return db
    .selectFrom("notification_deliveries as delivery")
    .innerJoin("notification_events as event", "event.id", "delivery.event_id")
    .innerJoin("notification_targets as target", "target.id", "delivery.target_id")
    .innerJoin("organizations", "organizations.id", "target.org_id")
    .select(["delivery.id", "event.id as event_id", "event.number", "event.event_trigger", "event.payload"])
    .select(["event.created_at", "target.id as target_id", "target.org_id", "target.action_id"])
    .select(["target.kind", "target.address", "target.token"])
    .select(["target.secret", "target.former_secret", "target.former_secret_until"])
    .select("organizations.signing_key")
    .where("delivery.id", "in", listed(ids))
    .orderBy("delivery.attempts")
    .orderBy("event.number");
}

function deliveryOf({
  id,
  event_id,
  number,
  event_trigger,
  payload,
  created_at,
  target_id,
  ...target
}: InferResult<ReturnType<typeof selectDeliveries>>[number]): Delivery {
  return {
    id,
    event: { id: event_id, number, event_trigger, payload, created_at },
    target: { id: target_id, ...target },
  };
}

interface Trying {
  readonly senders: Senders;
  /** Whether somebody asked for it. */
  readonly manual: boolean;
  readonly giveUp: AbortSignal;
}

/**
 * Tries a delivery once.
 *
 * @throws the reason of `giveUp`, and nothing else
 */
export async function attempt(delivery: Delivery, { senders, manual, giveUp }: Trying): Promise<Attempt> {
  const beganAt = performance.now();
  const sent = await sendBy(senders, delivery, giveUp);
  return { delivery, sent, manual, beganAt, endedAt: performance.now() };
}
