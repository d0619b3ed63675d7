import { listed } from "../../store/dialect.ts";
import type { TargetKind } from "../../store/notification-tables.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import { together } from "../../store/together.ts";
import { type ReadyTarget, readyTargets } from "./queue.ts";
import { isBroken } from "./target-state.ts";

/** So long nobody else takes a delivery. Far longer than an attempt takes: 15 s at most, and 30 s of a mail. */
export const LEASE_SECONDS = 60;
/** How many targets have their turn at a time. */
const TARGETS_AT_ONCE = 64;

/** How many attempts at one target may be under way at a time. A person reads one message after the other. */
export const AT_ONCE: Readonly<Record<TargetKind, number>> = {
  webhook: 8,
  slack: 1,
  teams: 1,
  github: 1,
  email: 1,
};
/** So many are taken for a target that answers: the next one is in memory when an attempt ends. */
const MOST_IN_MEMORY = 64;

interface Leasing {
  /** Unix seconds. */
  readonly at: number;
  /** Whose lease it is. */
  readonly holder: string;
  /** How many deliveries may be taken. */
  readonly room: number;
  /** The target that had its turn last. */
  readonly after: string;
}

interface Leased {
  readonly ids: readonly string[];
  /** The target that has had its turn now. */
  readonly after: string;
}

/**
 * Takes deliveries that are due, from one target after the other, for as long as a lease holds. What is taken already
 * counts among those that a target may have. What happened lately goes before what is tried again.
 */
export async function leaseDue(db: Database, { at, holder, room, after }: Leasing): Promise<Leased> {
  if (room <= 0) return { ids: [], after };
  const targets = await inTurn(db, { at, after });
  // Half of the room is left to targets that something will be due for in a moment.
  const share = Math.floor(room / (2 * targets.length));
  const found = await together(targets.map((target) => freeOf(db, target, { at, share })));
  const ids: string[] = [];
  let last = after;
  for (const [index, target] of targets.entries()) {
    if (ids.length >= room) break;
    ids.push(...(found[index] ?? []).slice(0, room - ids.length));
    last = target.id;
  }
  if (ids.length > 0) {
    await db
      .updateTable("notification_deliveries")
      .set({ leased_by: holder, leased_until: at + LEASE_SECONDS })
      .where("id", "in", listed(ids))
      .execute();
  }
  return { ids, after: last };
}

/** Ends leases before their time: whoever comes first may take what was not tried. */
export async function release(db: Database, ids: readonly string[], holder: string): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("notification_deliveries")
    .set({ leased_by: null, leased_until: null })
    .where("id", "in", listed(ids))
    .where("leased_by", "=", holder)
    .execute();
}

/** Ends all leases: for a service that is alone, and has begun just now. Whoever had them was killed. */
export async function releaseAll(db: Database): Promise<void> {
  await db
    .updateTable("notification_deliveries")
    .set({ leased_by: null, leased_until: null })
    .where("due_at", "is not", null)
    .where("leased_until", "is not", null)
    .execute();
}

/** The targets that are ready: those after the one that had its turn last, then those from the beginning. */
async function inTurn(db: Database, { at, after }: Pick<Leasing, "at" | "after">): Promise<ReadyTarget[]> {
  const following = await readyTargets(db, { at, after, limit: TARGETS_AT_ONCE });
  const rest = TARGETS_AT_ONCE - following.length;
  if (after === "" || rest === 0) return following;
  const fromBeginning = await readyTargets(db, { at, limit: rest });
  return [...following, ...fromBeginning.filter(({ id }) => id <= after)];
}

interface Due {
  target: string;
  at: number;
  most: number;
}

const selectDue = (db: Database, given: Given<Due>) =>
  db
    .selectFrom("notification_deliveries")
    .select(["id", "leased_until"])
    .where("target_id", "=", given("target"))
    .where("due_at", "<=", given("at"))
    .orderBy("due_at")
    .orderBy("id")
    .limit(given("most"));

const selectAny = prepared((db, given: Given<Due>) => selectDue(db, given));
const selectNew = prepared((db, given: Given<Due>) => selectDue(db, given).where("attempts", "=", 0));

/** What nobody has taken of the first deliveries that are due for a target. */
async function freeOf(
  db: Database,
  { id: target, kind, failures }: ReadyTarget,
  { at, share }: { at: number; share: number },
): Promise<string[]> {
  const most = mostOf({ kind, failures }, share);
  const latest = await selectNew(db, { target, at, most });
  const rest = most - latest.length;
  const others = rest === 0 ? [] : await selectAny(db, { target, at, most });
  const known = new Set(latest.map(({ id }) => id));
  const again = others.filter(({ id }) => !known.has(id)).slice(0, rest);
  return [...latest, ...again]
    .filter(({ leased_until }) => leased_until === null || leased_until <= at)
    .map(({ id }) => id);
}

/** How many deliveries of a target may be taken at a time. */
function mostOf({ kind, failures }: Omit<ReadyTarget, "id">, share: number): number {
  if (isBroken({ failures })) return 1;
  const atOnce = AT_ONCE[kind];
  if (atOnce === 1 || failures > 0) return atOnce;
  return Math.max(atOnce, Math.min(MOST_IN_MEMORY, share));
}
