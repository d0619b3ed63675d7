import type { InferResult } from "kysely";
import { unlessEnded } from "../../../net/deadline.ts";
import { listed } from "../../store/dialect.ts";
import type { TargetKind } from "../../store/notification-tables.ts";
import type { Database } from "../../store/tables.ts";
import { mergedEvents } from "../rules/merged.ts";

export type Delivery = Readonly<ReturnType<typeof deliveryOf>>;

export interface Sent {
  readonly delivered: boolean;
  /** One word of few: `delivered`, `timeout`, `dns`, `status_503`. */
  readonly outcome: string;
  readonly status: number | null;
  /** Headers of the request, without signatures and tokens. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly answer: string | null;
  /** The wait that the target requested. */
  readonly retryAfterSeconds?: number | undefined;
  /** The service delayed it because of a limit, which does not count as a failure of the target. */
  readonly isHeldBack?: boolean;
  /** Another attempt would fail the same way. */
  readonly final?: boolean;
  /** The reason to disable the target, because it refuses all further deliveries. */
  readonly endsTarget?: string;
}

export interface Attempt {
  readonly delivery: Delivery;
  readonly sent: Sent;
  /** Whether a user requested it. The schedule does not count it. */
  readonly manual: boolean;
  /** Start and end, on the clock of `performance`. */
  readonly beganAt: number;
  readonly endedAt: number;
}

/** Sends within 15 s, or 30 s for email. Failures of the target or the network are results, not exceptions. */
export type Send = (delivery: Delivery) => Promise<Sent>;

/** The senders by kind of target. A missing kind is not configured. */
export type Senders = { readonly [Kind in TargetKind]?: Send };

/** Email is the only kind that may not be configured. */
const NO_MAIL_SERVER = "This service has no mail server. Ask the operator to set --smtp-url and --mail-from";

const ANSWER_CHARACTERS = 4_096;

/** Any error becomes the result of the attempt. @throws the reason of `giveUp`: the delivery may have arrived */
async function sendBy(senders: Senders, delivery: Delivery, giveUp: AbortSignal): Promise<Sent> {
  const send = senders[delivery.target.kind];
  if (send === undefined) return { ...withoutAnswer("not_set_up"), answer: NO_MAIL_SERVER };
  try {
    const sent = await unlessEnded(send(delivery), giveUp);
    return { ...sent, answer: sent.answer === null ? null : storable(sent.answer) };
  } catch (error) {
    giveUp.throwIfAborted();
    return { ...withoutAnswer("internal_error"), answer: storable(String(error)) };
  }
}

function withoutAnswer(outcome: string): Sent {
  return { delivered: false, outcome, status: null, requestHeaders: {}, answer: null };
}

/** The start of a text, without characters that databases refuse. */
function storable(text: string): string {
  return text.slice(0, ANSWER_CHARACTERS).replaceAll("\0", "\uFFFD").toWellFormed();
}

/** Deliveries with their events and targets, in the order in which they are sent. */
export async function deliveriesToSend(db: Database, ids: readonly string[]): Promise<Delivery[]> {
  return withMerged(db, await selectDeliveries(db, ids).execute());
}

/** The current state of a delivery; undefined once it was delivered or canceled, or its target ended. */
export async function deliveryStillToSend(db: Database, id: string): Promise<Delivery | undefined> {
  const rows = await selectDeliveries(db, [id])
    .where("delivery.due_at", "is not", null)
    .where("target.removed_at", "is", null)
    .where("target.ended_at", "is", null)
    .execute();
  const [delivery] = await withMerged(db, rows);
  return delivery;
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
    .select(["organizations.signing_key", "delivery.merge_key"])
    .where("delivery.id", "in", listed(ids))
    .orderBy("delivery.attempts")
    .orderBy("event.number");
}

type DeliveryRow = InferResult<ReturnType<typeof selectDeliveries>>[number];

async function withMerged(db: Database, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
  const ids = rows.filter(({ merge_key }) => merge_key !== null).map(({ id }) => id);
  const merged = await mergedEvents(db, ids);
  return rows.map((row) => deliveryOf(row, merged.get(row.id) ?? []));
}

type MergedEvent = Pick<DeliveryRow, "number" | "payload">;

/** The target has the sealed signing key of its organization. `merged` are further events of the message. */
function deliveryOf(row: DeliveryRow, merged: readonly MergedEvent[]) {
  const { id, event_id, number, event_trigger, payload, created_at, target_id, merge_key, ...target } = row;
  const event = { id: event_id, number, event_trigger, payload, created_at };
  return { id, event, merged, target: { id: target_id, ...target } };
}

/** @throws only the reason of `giveUp` */
export async function attempt(
  delivery: Delivery,
  { senders, manual, giveUp }: { senders: Senders; manual: boolean; giveUp: AbortSignal },
): Promise<Attempt> {
  const beganAt = performance.now();
  const sent = await sendBy(senders, delivery, giveUp);
  return { delivery, sent, manual, beganAt, endedAt: performance.now() };
}
