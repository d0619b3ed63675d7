import type { Selectable } from "kysely";
import { insertRows, listed, updateRows } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { changeMerged } from "../rules/merged.ts";
import { recordEndedTarget } from "../rules/rule-events.ts";
import type { Attempt } from "./attempt.ts";
import { stateAfter } from "./target-state.ts";

interface Recording {
  /** Unix seconds. */
  readonly at: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

export type Recorded = Awaited<ReturnType<typeof record>>;

export async function record(db: Database, attempts: readonly Attempt[], { at, random }: Recording) {
  if (attempts.length === 0) return { resting: new Set<string>(), ended: [] };
  const targets = await targetsAfter(db, attempts, at);
  const deliveries = new Map((await deliveriesOf(db, attempts)).map((row) => [row.id, row]));
  const rows = [];
  const elapsed = performance.now();
  for (const attempt of attempts) {
    const { delivery, sent, manual, beganAt, endedAt } = attempt;
    const before = deliveries.get(delivery.id);
    // Retention removed it.
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
  for (const { delivery } of attempts.filter(({ delivery: { merged } }) => merged.length > 0)) {
    const after = deliveries.get(delivery.id);
    if (after === undefined || after.state === "pending") continue;
    const { state, attempts, outcome, ended_at } = after;
    await changeMerged(db, [delivery.id], { state, attempts, outcome, ended_at });
  }
  return await noteTargets(db, [...targets.values()], at);
}

type DeliveryRow = Pick<
  Selectable<Tables["notification_deliveries"]>,
  "id" | "state" | "attempts" | "due_at" | "leased_by" | "leased_until" | "outcome" | "ended_at"
> & {
  /** Number of scheduled attempts. */
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
  // Delivered or canceled in the meantime.
  if (before.state !== "pending") return { ...counted, scheduled };
  const wait = waitAfter({ attempts: scheduled, retryAfterSeconds, random });
  if (wait === undefined || sent.final === true || isOver) {
    return { ...counted, ...over, scheduled, state: "failed" };
  }
  return { ...counted, scheduled, due_at: at + wait, leased_by: null, leased_until: null };
}

type TargetRow = Selectable<Tables["notification_targets"]>;

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

async function noteTargets(db: Database, tried: readonly TargetRow[], at: number) {
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
  // Targets that ended earlier were reported then.
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

/** Notifies the admins, unless the rule is gone. */
async function recordEnd(db: Database, target: TargetRow, at: number): Promise<void> {
  const rule = await db
    .selectFrom("actions")
    .select(["name", "number"])
    .where("id", "=", target.action_id)
    .executeTakeFirst();
  if (rule !== undefined) await recordEndedTarget(db, rule, target, at);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds to wait after each failed attempt: 75 hours in all, so that a weekend loses nothing. */
const WAITS: readonly number[] = [
  ...[5, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];
/** Maximum fraction by which a wait varies, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
const LONGEST_RETRY_AFTER = DAY;

interface Failed {
  /** Number of failed scheduled attempts. */
  readonly attempts: number;
  /** The wait that the target requested, at most a day. It replaces a shorter scheduled wait. */
  readonly retryAfterSeconds?: number | undefined;
  /** A number from 0 to 1, such as from `Math.random`. */
  readonly random: () => number;
}

/** Seconds until the next attempt; undefined after the last one. */
export function waitAfter({ attempts, retryAfterSeconds = 0, random }: Failed): number | undefined {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return undefined;
  const jittered = wait * (1 + JITTER * (2 * random() - 1));
  return Math.max(jittered, Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER));
}
