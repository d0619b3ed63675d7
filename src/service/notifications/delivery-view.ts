import type {
  DeliveryAttempt,
  DeliveryRecord,
  TargetRecord,
} from "../../api/resources/notification-deliveries.ts";
import { putFlowAction } from "../../api/resources/notifications.ts";
import type { AttemptRow, DeliveryRow } from "../delivery/rules/deliveries.ts";
import { TYPES } from "../events/projections/raise.ts";
import { isAllowed } from "../kernel/access.ts";
import type { Caller } from "../kernel/caller.ts";
import { numberOf, type TargetRow } from "./targets-of-action.ts";

type Viewer = Pick<Caller, "role">;

const types: ReadonlyMap<string, string> = new Map(Object.entries(TYPES));

/** Whether somebody may see where deliveries go and what they say: who may change that. */
export function seesContent({ role }: Viewer): boolean {
  return isAllowed(role, putFlowAction.access);
}

/** Whether somebody may see what targets answer: it may tell of systems that are none of a member's business. */
function seesAnswers({ role }: Viewer): boolean {
  return isAllowed(role, "administer");
}

export function deliveryView(row: DeliveryRow, viewer: Viewer): DeliveryRecord {
  return {
    id: row.id,
    eventId: row.event_id,
    trigger: row.event_trigger,
    type: types.get(row.event_trigger) ?? row.event_trigger,
    target: placeView(row, viewer),
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at,
    dueAt: row.due_at,
    outcome: row.outcome,
    endedAt: row.ended_at,
  };
}

/** Which target it is, in words for whoever may see them. */
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

export function answerView({ answer }: Pick<AttemptRow, "answer">, viewer: Viewer): string | null {
  return seesAnswers(viewer) ? answer : null;
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
