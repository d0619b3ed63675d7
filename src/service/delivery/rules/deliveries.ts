import type { Selectable } from "kysely";
import type {
  DeliveryAttempt,
  DeliveryRecord,
  TargetRecord,
} from "../../../api/resources/notification-deliveries.ts";
import { putFlowAction } from "../../../api/resources/notifications.ts";
import { TYPES } from "../../events/projections/raise.ts";
import { isAllowed } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { splitCursor } from "../../kernel/cursor.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { FilterOf } from "../../kernel/paging.ts";
import { listed } from "../../store/dialect.ts";
import type { DeliveryState } from "../../store/notification-tables.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { changeMerged } from "./merged.ts";
import { numberOf, type TargetRow } from "./targets.ts";

export interface DeliveryFilter extends FilterOf<"deliveries"> {
  state?: DeliveryState | undefined;
  trigger?: string | undefined;
  targetId?: string | undefined;
  /** Unix seconds. Deliveries of events at or after this time. */
  from?: number | undefined;
  /** Unix seconds. Deliveries of events before this time. */
  to?: number | undefined;
  after?: ReturnType<typeof splitCursor> | undefined;
}

export type DeliveryRow = Awaited<ReturnType<typeof newestDeliveries>>[number];

export function newestDeliveries(
  db: Database,
  actionId: string,
  { state, trigger, targetId, from, to, after }: DeliveryFilter,
  limit: number,
) {
  let rows = deliveriesOf(db, actionId);
  if (state !== undefined) rows = rows.where("delivery.state", "=", state);
  // Makes the query use the index of ended deliveries.
  if (state !== undefined && state !== "pending") rows = rows.where("delivery.ended_at", "is not", null);
  if (trigger !== undefined) rows = rows.where("event.event_trigger", "=", trigger);
  if (targetId !== undefined) rows = rows.where("delivery.target_id", "=", targetId);
  if (from !== undefined) rows = rows.where("delivery.created_at", ">=", from);
  if (to !== undefined) rows = rows.where("delivery.created_at", "<", to);
  if (after) {
    const { createdAt, which: id } = after;
    rows = rows.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("delivery.created_at", "delivery.id"), "<", tuple(createdAt, id)),
    );
  }
  return rows.orderBy("delivery.created_at", "desc").orderBy("delivery.id", "desc").limit(limit).execute();
}

/** @throws NotFound */
export async function requireDelivery(db: Database, actionId: string, deliveryId: string) {
  const found = await deliveriesOf(db, actionId).where("delivery.id", "=", deliveryId).executeTakeFirst();
  if (!found) throw new NotFound("delivery.not_found", "Delivery not found");
  return found;
}

function deliveriesOf(db: Database, actionId: string) {
  return db
    .selectFrom("notification_deliveries as delivery")
    .innerJoin("notification_events as event", "event.id", "delivery.event_id")
    .innerJoin("notification_targets as target", "target.id", "delivery.target_id")
    .select(["delivery.id", "delivery.event_id", "delivery.state", "delivery.attempts", "delivery.due_at"])
    .select(["delivery.outcome", "delivery.created_at", "delivery.ended_at", "event.event_trigger"])
    .select(["delivery.merged_into"])
    .select(["target.kind", "target.shown", "target.position", "target.removed_at"])
    .where("delivery.action_id", "=", actionId);
}

type AttemptRow = Selectable<Tables["notification_attempts"]>;

export function attemptsOf(db: Database, deliveryIds: readonly string[]): Promise<AttemptRow[]> {
  return db
    .selectFrom("notification_attempts")
    .selectAll()
    .where("delivery_id", "in", listed(deliveryIds))
    .orderBy("number")
    .execute();
}

/** Maximum number of deliveries that one request makes due again. */
const RECOVERED_AT_ONCE = 10_000;

interface Recovery {
  readonly targetIds: readonly string[];
  /** Unix seconds. Deliveries of events at or after this time. */
  readonly since: number;
  /** Unix seconds. Deliveries of events before this time. */
  readonly until?: number | undefined;
  readonly now: number;
}

/** Makes failed deliveries due again, oldest first. Examples are excluded. */
export async function recover(db: Database, actionId: string, { targetIds, since, until, now }: Recovery) {
  let failed = db
    .selectFrom("notification_deliveries")
    .select(["id", "merged_into"])
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
  const recovered = found.slice(0, RECOVERED_AT_ONCE);
  // A message is sent again with all its events.
  const ids = [...new Set(recovered.map(({ id, merged_into }) => merged_into ?? id))];
  await db
    .updateTable("notification_deliveries")
    .set({ state: "pending", due_at: now, ended_at: null })
    .where("id", "in", listed(ids))
    .where("state", "=", "failed")
    .execute();
  await changeMerged(db, ids, { state: "pending", ended_at: null });
  return { recovered: recovered.length, more: found.length > recovered.length };
}

/** The `NotificationPayload` as JSON, equal for all deliveries and attempts. */
export function bodyOf(event: Pick<Tables["notification_events"], "number" | "payload">): string {
  return `{"sequence":${event.number},${event.payload.slice(1)}`;
}

type Viewer = Pick<Caller, "role">;

const types: ReadonlyMap<string, string> = new Map(Object.entries(TYPES));

/** Whether a viewer may see addresses and bodies. Viewers who may change the rule can. */
export function seesContent({ role }: Viewer): boolean {
  return isAllowed(role, putFlowAction.access);
}

export function deliveryView(row: DeliveryRow, viewer: Viewer): DeliveryRecord {
  return {
    id: row.id,
    eventId: row.event_id,
    trigger: row.event_trigger,
    type: types.get(row.event_trigger) ?? row.event_trigger,
    target: placeView(row, viewer),
    state: row.state,
    mergedInto: row.merged_into,
    attempts: row.attempts,
    createdAt: row.created_at,
    dueAt: row.due_at,
    outcome: row.outcome,
    endedAt: row.ended_at,
  };
}

export function placeView(
  target: Pick<TargetRow, "kind" | "shown" | "position" | "removed_at">,
  viewer: Viewer,
) {
  const { kind, shown, removed_at } = target;
  return {
    number: removed_at === null ? numberOf(target) : null,
    kind,
    address: seesContent(viewer) ? shown : null,
  };
}

export function attemptView(row: AttemptRow, viewer: Viewer): DeliveryAttempt {
  return {
    number: row.number,
    startedAt: row.started_at,
    duration: row.duration_ms / 1000,
    outcome: row.outcome,
    status: row.status,
    requestHeaders: seesContent(viewer) ? JSON.parse(row.request_headers) : null,
    answer: answerView(row, viewer),
    manual: row.manual === 1,
  };
}

/** A response may describe internal systems, so only admins see it. */
export function answerView({ answer }: Pick<AttemptRow, "answer">, { role }: Viewer): string | null {
  return isAllowed(role, "administer") ? answer : null;
}

export function targetView(
  target: TargetRow,
  { waiting, dueAt }: { waiting: number; dueAt: number | null },
  viewer: Viewer,
): TargetRecord {
  return {
    ...placeView(target, viewer),
    state: stateOf(target),
    failingSince: target.failing_since,
    lastSuccessAt: target.last_success_at,
    lastFailureAt: target.last_failure_at,
    lastFailure: target.last_failure,
    endedAt: target.ended_at,
    endedBecause: target.ended_because,
    waiting,
    dueAt,
  };
}

function stateOf({ ended_at, failing_since }: TargetRow): string {
  if (ended_at !== null) return "ended";
  return failing_since === null ? "ok" : "failing";
}
