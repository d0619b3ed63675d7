import type { Selectable } from "kysely";
import { recordAct } from "../../audit-log/record-act.ts";
import { serviceContext } from "../../events/audit-log/service-itself.ts";
import { numberOf } from "../../notifications/targets-of-action.ts";
import { insertRows, listed, updateRows } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { waitAfter } from "../schedule.ts";
import type { Delivery, Sent } from "../sent.ts";
import { stateAfter } from "./target-state.ts";

/** An attempt that has ended. */
export interface Attempt {
  readonly delivery: Delivery;
  readonly sent: Sent;
  /** Whether somebody asked for it: then it is none of those of the schedule. */
  readonly manual: boolean;
  /** When it began and ended, on the clock of `performance`. */
  readonly beganAt: number;
  readonly endedAt: number;
}

interface Recording {
  /** Unix seconds. */
  readonly at: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** A target that gets nothing any more. */
interface EndedTarget {
  readonly actionId: string;
  readonly because: string;
}

export interface Recorded {
  /** The targets that nothing is to be sent to for now. */
  readonly resting: ReadonlySet<string>;
  /** Those that were switched off. */
  readonly ended: readonly EndedTarget[];
}

/** Writes down how attempts went, all of them with a few statements, and what comes of that for those concerned. */
export async function record(
  db: Database,
  attempts: readonly Attempt[],
  { at, random }: Recording,
): Promise<Recorded> {
  if (attempts.length === 0) return { resting: new Set(), ended: [] };
  const targets = await targetsAfter(db, attempts, at);
  const deliveries = new Map((await deliveriesOf(db, attempts)).map((row) => [row.id, row]));
  const rows = [];
  const elapsed = performance.now();
  for (const attempt of attempts) {
    const { delivery, sent, manual, beganAt, endedAt } = attempt;
    const before = deliveries.get(delivery.id);
    // It is too old to be kept.
    if (before === undefined) continue;
    const isOver = targets.get(delivery.target.id)?.ended_at !== null;
    const after = deliveryAfter(before, attempt, { at, random, isOver });
    deliveries.set(delivery.id, after);
    rows.push({
      delivery_id: delivery.id,
      number: after.attempts,
      manual: Number(manual),
      started_at: at - (elapsed - beganAt) / 1000,
      duration_ms: endedAt - beganAt,
      outcome: sent.outcome,
      status: sent.status,
      answer: sent.answer,
      request_headers: JSON.stringify(sent.requestHeaders),
    });
  }
  await insertRows(db, "notification_attempts", rows);
  const changed = [...deliveries.values()].map(({ scheduled, ...row }) => row);
  await updateRows(db, "notification_deliveries", "id", changed);
  return await noteTargets(db, [...targets.values()], at);
}

type DeliveryRow = Pick<
  Selectable<Tables["notification_deliveries"]>,
  "id" | "state" | "attempts" | "due_at" | "leased_by" | "leased_until" | "outcome" | "ended_at"
> & {
  /** How many attempts of the schedule there were. */
  readonly scheduled: number;
};

async function deliveriesOf(db: Database, attempts: readonly Attempt[]): Promise<DeliveryRow[]> {
  const rows = await db
    .selectFrom("notification_deliveries as delivery")
    .select(["id", "state", "attempts", "due_at", "leased_by", "leased_until", "outcome", "ended_at"])
    .select(({ selectFrom }) =>
      selectFrom("notification_attempts as attempt")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("attempt.delivery_id", "=", "delivery.id")
        .where("attempt.manual", "=", 0)
        .as("scheduled"),
    )
    .where("id", "in", listed(attempts.map(({ delivery }) => delivery.id)))
    .execute();
  return rows.map((row) => ({ ...row, scheduled: row.scheduled ?? 0 }));
}

function deliveryAfter(
  before: DeliveryRow,
  { sent, manual }: Attempt,
  { at, random, isOver }: Recording & { isOver: boolean },
): DeliveryRow {
  const { outcome, delivered, retryAfterSeconds } = sent;
  const counted = { ...before, attempts: before.attempts + 1, outcome };
  const over = { due_at: null, leased_by: null, leased_until: null, ended_at: at };
  if (delivered) return { ...counted, ...over, state: "delivered" };
  if (manual) return counted;
  const scheduled = before.scheduled + 1;
  // Somebody delivered or cancelled it meanwhile.
  if (before.state !== "pending") return { ...counted, scheduled };
  const wait = waitAfter({ attempts: scheduled, retryAfterSeconds, random });
  if (wait === undefined || sent.final === true || isOver) {
    return { ...counted, ...over, scheduled, state: "failed" };
  }
  return { ...counted, scheduled, due_at: at + wait, leased_by: null, leased_until: null };
}

type TargetRow = Selectable<Tables["notification_targets"]>;

/** The targets of attempts, as those leave them, by id. */
async function targetsAfter(
  db: Database,
  attempts: readonly Attempt[],
  at: number,
): Promise<Map<string, TargetRow>> {
  const ids = [...new Set(attempts.map(({ delivery }) => delivery.target.id))];
  const rows = await db
    .selectFrom("notification_targets")
    .selectAll()
    .where("id", "in", listed(ids))
    .execute();
  const targets = new Map(rows.map((row) => [row.id, row]));
  for (const { delivery, sent } of attempts) {
    const before = targets.get(delivery.target.id);
    if (before && sent.isHeldBack !== true)
      targets.set(before.id, { ...before, ...stateAfter(before, sent, at) });
  }
  return targets;
}

async function noteTargets(db: Database, tried: readonly TargetRow[], at: number): Promise<Recorded> {
  await updateRows(
    db,
    "notification_targets",
    "id",
    tried.map(({ id, failures, failing_since, paused_until, ended_at, ended_because, ...target }) => ({
      id,
      failures,
      failing_since,
      paused_until,
      ended_at,
      ended_because,
      last_success_at: target.last_success_at,
      last_failure_at: target.last_failure_at,
      last_failure: target.last_failure,
    })),
  );
  // That of an earlier time was told then.
  const ended = tried.filter(({ ended_at }) => ended_at === at);
  for (const target of ended) await recordEnd(db, target, at);
  const resting = tried.filter(
    ({ ended_at, paused_until, failures }) => ended_at !== null || (paused_until !== null && failures > 0),
  );
  return {
    resting: new Set(resting.map(({ id }) => id)),
    ended: ended.map(({ action_id, ended_because }) => ({
      actionId: action_id,
      because: ended_because ?? "",
    })),
  };
}

/** Lets the admins know that a target gets nothing any more. Its address is a secret. */
async function recordEnd(db: Database, target: TargetRow, at: number): Promise<void> {
  const { org_id, action_id, kind, ended_because } = target;
  const action = await db
    .selectFrom("actions")
    .select(["name", "number"])
    .where("id", "=", action_id)
    .executeTakeFirst();
  if (action === undefined) return;
  await recordAct(db, serviceContext(org_id, at), {
    act: "action.target_ended",
    resource: { name: action.name, id: String(action.number) },
    details: { target: numberOf(target), kind, reason: ended_because },
  });
}
