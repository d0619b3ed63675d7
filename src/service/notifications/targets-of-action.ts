import type { Selectable } from "kysely";
import { NotFound } from "../kernel/errors.ts";
import { listed } from "../store/dialect.ts";
import type { Database, Tables } from "../store/tables.ts";

export type TargetRow = Selectable<Tables["notification_targets"]>;

/** The targets that an action names now, in their order. */
export function targetsOf(db: Database, actionId: string): Promise<TargetRow[]> {
  return db
    .selectFrom("notification_targets")
    .selectAll()
    .where("action_id", "=", actionId)
    .where("removed_at", "is", null)
    .orderBy("position")
    .orderBy("id")
    .execute();
}

/** The targets that an action names or named, as long as they are kept. */
export function targetRowsOf(db: Database, actionId: string): Promise<TargetRow[]> {
  return db.selectFrom("notification_targets").selectAll().where("action_id", "=", actionId).execute();
}

/** The targets that the actions of an organization name now, by the ids of the actions. */
export async function targetsByAction(
  db: Database,
  orgId: string,
): Promise<ReadonlyMap<string, TargetRow[]>> {
  const rows = await db
    .selectFrom("notification_targets")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("removed_at", "is", null)
    .execute();
  return Map.groupBy(rows, ({ action_id }) => action_id);
}

/** What people call a target by: it counts those of its action from 1. */
export function numberOf({ position }: Pick<TargetRow, "position">): number {
  return position + 1;
}

/**
 * One target of an action by its number, or all of them.
 *
 * @throws NotFound
 */
export async function chosenTargets(
  db: Database,
  actionId: string,
  number: number | undefined,
): Promise<TargetRow[]> {
  const targets = await targetsOf(db, actionId);
  if (number === undefined) return targets;
  const target = targets.find((each) => numberOf(each) === number);
  if (!target) throw new NotFound(`The action has no target ${number}: it has ${targets.length}`);
  return [target];
}

const MOST_COUNTED = 1_000;

/** How many deliveries wait for a target, as far as they are counted, and when the first is due. */
export function queueOf(db: Database, targetId: string): Promise<{ waiting: number; dueAt: number | null }> {
  const waiting = db
    .selectFrom("notification_deliveries")
    .select("due_at")
    .where("target_id", "=", targetId)
    .where("due_at", "is not", null)
    .orderBy("due_at")
    .limit(MOST_COUNTED);
  return db
    .selectFrom(waiting.as("waiting"))
    .select(({ fn }) => [fn.countAll<number>().as("waiting"), fn.min("due_at").as("dueAt")])
    .executeTakeFirstOrThrow();
}

/** Changes what is known of a target. */
export async function changeTarget(
  db: Database,
  targetId: string,
  columns: Partial<Omit<TargetRow, "id">>,
): Promise<void> {
  await db.updateTable("notification_targets").set(columns).where("id", "=", targetId).execute();
}

/** What is known of a target none of whose attempts has failed. */
export const NEVER_FAILED = {
  failures: 0,
  failing_since: null,
  paused_until: null,
  ended_at: null,
  ended_because: null,
} as const;

/** Switches targets on again, as if none of their attempts had failed. */
export async function switchOn(db: Database, targetIds: readonly string[]): Promise<void> {
  await db
    .updateTable("notification_targets")
    .set(NEVER_FAILED)
    .where("id", "in", listed(targetIds))
    .execute();
}
