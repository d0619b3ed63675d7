import { storedAddress } from "../../notifications/sealed-addresses.ts";
import { NEVER_FAILED, type TargetRow } from "../../notifications/targets-of-action.ts";
import type { SecretBox } from "../../operation/context.ts";
import { insertRows, listed, updateRows } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { shownAddress, type TargetAddress } from "../../store/target-addresses.ts";

/**
 * Gives an action the targets that it names. One that it names again keeps its row, with its secret and its log. One
 * that it named before and names no more is told nothing more, not even what it still waits for.
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

/** Ends the targets of an action. */
export async function removeTargets(db: Database, actionId: string, now: number): Promise<void> {
  const targets = await db
    .selectFrom("notification_targets")
    .select("id")
    .where("action_id", "=", actionId)
    .where("removed_at", "is", null)
    .execute();
  await remove(db, targets, now);
}

/** How many deliveries a request cancels. What is left of a removed target is not sent, and a job cancels it. */
const CANCELLED_AT_ONCE = 1_000;

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

/** Lets targets begin anew. What they waited for when they were removed does not come after all. */
async function revive(db: Database, targetIds: readonly string[], now: number): Promise<void> {
  while ((await cancelDeliveries(db, targetIds, now)) === CANCELLED_AT_ONCE);
  await db
    .updateTable("notification_targets")
    .set({ ...NEVER_FAILED, removed_at: null })
    .where("id", "in", listed(targetIds))
    .execute();
}

/**
 * Cancels deliveries that targets wait for, the first of them that are due.
 *
 * @returns how many: as many as at once when there may be more
 */
async function cancelDeliveries(db: Database, targetIds: readonly string[], now: number): Promise<number> {
  const waiting = await db
    .selectFrom("notification_deliveries")
    .select("id")
    .where("target_id", "in", listed(targetIds))
    .where("due_at", "is not", null)
    .limit(CANCELLED_AT_ONCE)
    .execute();
  const ids = waiting.map(({ id }) => id);
  await db
    .updateTable("notification_deliveries")
    .set({ state: "cancelled", due_at: null, ended_at: now })
    .where("id", "in", listed(ids))
    .execute();
  return ids.length;
}
