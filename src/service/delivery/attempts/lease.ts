import { listed, now } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { TargetKind } from "../../store/notification-tables.ts";
import { type Given, prepared, together } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import { mergeInto } from "../rules/merged.ts";
import { type ReadyTarget, readyTargets } from "./queue.ts";
import { isBroken } from "./target-state.ts";

/** The current time of all instances that share a database, in Unix seconds. */
export type Clock = (db: Database) => Promise<number>;

/** The time of the database, since the clocks of instances may differ. */
export const databaseClock: Clock = async (db) => {
  const { at } = await db.selectNoFrom(now().as("at")).executeTakeFirstOrThrow();
  return at;
};

/** Lease lifetime, far longer than an attempt: 15 s, or 30 s for email. */
export const LEASE_SECONDS = 60;
/** Maximum number of targets per batch. */
const TARGETS_AT_ONCE = 64;

/** Parallel attempts per target. A person reads one message at a time. */
export const AT_ONCE: Readonly<Record<TargetKind, number>> = {
  webhook: 8,
  slack: 1,
  teams: 1,
  github: 1,
  email: 1,
};
/** Maximum number of leased deliveries of a healthy target, so that the next one is in memory when an attempt ends. */
const MOST_IN_MEMORY = 64;

/** Part of a delivery that says in whose turn it is written. */
export interface QueuedDelivery {
  readonly id: string;
  readonly orgId: string;
}

interface Search {
  /** Unix seconds. */
  readonly at: number;
  readonly room: number;
  /** The target that was served last. */
  readonly after: string;
}

/** Finds due deliveries of one target after the other. New events go before retries. */
export async function findDue(db: Database, { at, room, after }: Search) {
  if (room <= 0) return { due: [], after };
  const targets = await inTurn(db, { at, after });
  // Keeps half of the room for targets with deliveries due shortly.
  const share = Math.floor(room / (2 * targets.length));
  const found = await together(targets.map((target) => freeOf(db, target, { at, share })));
  const due: QueuedDelivery[] = [];
  let last = after;
  for (const [index, target] of targets.entries()) {
    if (due.length >= room) break;
    const ids = (found[index] ?? []).slice(0, room - due.length);
    due.push(...ids.map((id) => ({ id, orgId: target.org_id })));
    last = target.id;
  }
  return { due, after: last };
}

interface Lease {
  /** Unix seconds. */
  readonly at: number;
  readonly holder: string;
  /** Deliveries that this instance had when they were found: they wait or run longer than their leases. */
  readonly held: ReadonlySet<string>;
}

/**
 * Leases those of the deliveries that no instance has leased since they were found. Others may become part of them, but
 * not of held ones, whose messages are made.
 *
 * @returns those that are not held
 */
export async function lease(
  db: Database,
  ids: readonly string[],
  { at, holder, held }: Lease,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const leased = await db
    .updateTable("notification_deliveries")
    .set({ leased_by: holder, leased_until: at + LEASE_SECONDS })
    .where("id", "in", listed(ids))
    .where("due_at", "<=", at)
    .where(({ or, eb }) => or([eb("leased_until", "is", null), eb("leased_until", "<=", at)]))
    .returning(["id", "target_id", "merge_key", "attempts"])
    .execute();
  const free = leased.filter(({ id }) => !held.has(id));
  for (const delivery of free) await mergeInto(db, delivery, at);
  return idsOf(free);
}

/** Ends leases early, so that any instance may take the deliveries. */
export async function release(db: Database, ids: readonly string[], holder: string): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("notification_deliveries")
    .set({ leased_by: null, leased_until: null })
    .where("id", "in", listed(ids))
    .where("leased_by", "=", holder)
    .execute();
}

/** Ends all leases when a single instance starts, since their owner was killed. */
export async function releaseAll(db: Database): Promise<void> {
  await db
    .updateTable("notification_deliveries")
    .set({ leased_by: null, leased_until: null })
    .where("due_at", "is not", null)
    .where("leased_until", "is not", null)
    .execute();
}

async function inTurn(db: Database, { at, after }: Pick<Search, "at" | "after">): Promise<ReadyTarget[]> {
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

/** The first due deliveries of a target that have no lease. */
async function freeOf(
  db: Database,
  { id: target, kind, failures }: Omit<ReadyTarget, "org_id">,
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

function mostOf({ kind, failures }: Pick<ReadyTarget, "kind" | "failures">, share: number): number {
  if (isBroken({ failures })) return 1;
  const atOnce = AT_ONCE[kind];
  if (atOnce === 1 || failures > 0) return atOnce;
  return Math.max(atOnce, Math.min(MOST_IN_MEMORY, share));
}
