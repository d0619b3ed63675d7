import type { Selectable } from "kysely";
import { NotFound } from "../../kernel/errors.ts";
import type { SecretBox } from "../../operation/context.ts";
import { insertRows, listed, updateRows } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { shownAddress, type TargetAddress } from "../../store/target-addresses.ts";
import { changeMerged } from "./merged.ts";
import { storedAddress } from "./secrets.ts";

/**
 * Sets the targets of an action. A kept target keeps its secret and its log; the deliveries of a removed one are
 * canceled.
 */
export async function syncTargets(
  db: Database,
  action: Pick<Tables["actions"], "id" | "org_id">,
  places: readonly TargetAddress[],
  { now, secrets }: { now: number; secrets: SecretBox },
): Promise<void> {
  const known = await db
    .selectFrom("notification_targets")
    .select(["id", "address_key", "position", "removed_at"])
    .where("action_id", "=", action.id)
    .execute();
  const byKey = new Map(known.map((target) => [target.address_key, target]));
  const named = places.map((place, position) => ({
    ...place,
    position,
    target: byKey.get(place.key),
  }));
  const added = named.flatMap(({ target, kind, address, key, position }) => {
    if (target) return [];
    const id = newId();
    return {
      id,
      org_id: action.org_id,
      action_id: action.id,
      position,
      kind,
      address: storedAddress(id, { kind, address }, secrets),
      shown: shownAddress({ kind, address }),
      address_key: key,
      created_at: now,
    };
  });
  await insertRows(db, "notification_targets", added);
  const moved = named.flatMap(({ target, position }) =>
    target && target.position !== position ? [{ id: target.id, position }] : [],
  );
  await updateRows(db, "notification_targets", "id", moved);
  const back = named.flatMap(({ target }) => (target && target.removed_at !== null ? [target.id] : []));
  if (back.length > 0) await revive(db, back, now);
  const isNamed = new Set(named.map(({ key }) => key));
  const gone = known.filter(
    ({ address_key, removed_at }) => removed_at === null && !isNamed.has(address_key),
  );
  await remove(db, gone, now);
}

export async function removeTargets(db: Database, actionId: string, now: number): Promise<void> {
  const targets = await db
    .selectFrom("notification_targets")
    .select("id")
    .where("action_id", "=", actionId)
    .where("removed_at", "is", null)
    .execute();
  await remove(db, targets, now);
}

/** Maximum number of deliveries that a request cancels. A job cancels the rest, which is never sent. */
const CANCELED_AT_ONCE = 1_000;

async function remove(db: Database, targets: readonly Pick<TargetRow, "id">[], now: number): Promise<void> {
  if (targets.length === 0) return;
  const targetIds = targets.map(({ id }) => id);
  await db
    .updateTable("notification_targets")
    .set({ removed_at: now })
    .where("id", "in", listed(targetIds))
    .execute();
  await cancelDeliveries(db, targetIds, now);
}

/** Resets targets. Deliveries from before their removal stay canceled. */
async function revive(db: Database, targetIds: readonly string[], now: number): Promise<void> {
  while ((await cancelDeliveries(db, targetIds, now)) === CANCELED_AT_ONCE);
  await db
    .updateTable("notification_targets")
    .set({ ...NEVER_FAILED, removed_at: null })
    .where("id", "in", listed(targetIds))
    .execute();
}

/** @returns the number of canceled deliveries; `CANCELED_AT_ONCE` if there may be more */
async function cancelDeliveries(db: Database, targetIds: readonly string[], now: number): Promise<number> {
  const waiting = await db
    .selectFrom("notification_deliveries")
    .select("id")
    .where("target_id", "in", listed(targetIds))
    .where("due_at", "is not", null)
    .limit(CANCELED_AT_ONCE)
    .execute();
  const ids = waiting.map(({ id }) => id);
  await db
    .updateTable("notification_deliveries")
    .set({ state: "cancelled", due_at: null, ended_at: now })
    .where("id", "in", listed(ids))
    .execute();
  await changeMerged(db, ids, { state: "cancelled", ended_at: now });
  return ids.length;
}

export type TargetRow = Selectable<Tables["notification_targets"]>;

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

/** Targets, including removed ones that are still stored. */
export function targetRowsOf(db: Database, actionId: string): Promise<TargetRow[]> {
  return db.selectFrom("notification_targets").selectAll().where("action_id", "=", actionId).execute();
}

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

/** The number that users see; it starts at 1. */
export function numberOf({ position }: Pick<TargetRow, "position">): number {
  return position + 1;
}

/** One target of an action by its number, or all of them. @throws NotFound */
export async function chosenTargets(
  db: Database,
  actionId: string,
  number: number | undefined,
): Promise<TargetRow[]> {
  const targets = await targetsOf(db, actionId);
  if (number === undefined) return targets;
  const target = targets.find((each) => numberOf(each) === number);
  if (!target)
    throw new NotFound(
      "notification_rule.target_not_found",
      `The rule has no target ${number}: use a number from 1 to ${targets.length}`,
    );
  return [target];
}

const MOST_COUNTED = 1_000;

/** The number of waiting deliveries, up to a limit, and when the first is due. */
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

export async function changeTarget(
  db: Database,
  targetId: string,
  columns: Partial<Omit<TargetRow, "id">>,
): Promise<void> {
  await db.updateTable("notification_targets").set(columns).where("id", "=", targetId).execute();
}

/** The state of a target without failures. */
const NEVER_FAILED = {
  failures: 0,
  failing_since: null,
  paused_until: null,
  ended_at: null,
  ended_because: null,
} as const;

/** Enables targets and resets their failures. */
export async function switchOn(db: Database, targetIds: readonly string[]): Promise<void> {
  await db
    .updateTable("notification_targets")
    .set(NEVER_FAILED)
    .where("id", "in", listed(targetIds))
    .execute();
}
