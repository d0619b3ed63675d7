import type { Database } from "../../store/tables.ts";
import { type IntervalPlace, intervalsEnding, intervalsOf, type SnapshotPlace } from "./intervals.ts";

/** The artifacts that a snapshot shows: the ids of their intervals, sorted by name. */
export interface SnapshotList {
  readonly running: readonly number[];
  /** What ran in the snapshot before and no longer does. */
  readonly ended: readonly number[];
  /** How many of those that run are compliant, are not, and are held to no policy. */
  readonly compliance: Readonly<Record<"true" | "false" | "null", number>>;
}

/** How many lists are kept. A list takes eight bytes for each artifact. */
const MOST_KEPT = 16;

type Lists = Map<string, Promise<SnapshotList>>;

/** By environment and number, the one that was asked for last at the end; those of each database. */
const listsOf = new WeakMap<Database, Lists>();

/**
 * The artifacts of a snapshot. A snapshot never changes, so those who read a large one at the same time, or page by
 * page, share one list.
 */
export function snapshotList(db: Database, snapshot: SnapshotPlace): Promise<SnapshotList> {
  const kept: Lists = listsOf.get(db) ?? new Map();
  listsOf.set(db, kept);
  const key = `${snapshot.environment_id} ${snapshot.number}`;
  const known = kept.get(key);
  const list = known ?? readList(db, snapshot);
  kept.delete(key);
  kept.set(key, list);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  if (!known) list.catch(() => kept.delete(key));
  return list;
}

async function readList(db: Database, snapshot: SnapshotPlace): Promise<SnapshotList> {
  const running = await intervalsOf(db, snapshot);
  const ended = await intervalsEnding(db, snapshot);
  const compliance = { true: 0, false: 0, null: 0 };
  for (const { compliant } of running) compliance[complianceWord(compliant)]++;
  return { running: running.map(({ id }) => id), ended: ended.map(({ id }) => id), compliance };
}

function complianceWord(compliant: IntervalPlace["compliant"]): "true" | "false" | "null" {
  if (compliant === null) return "null";
  return compliant === 1 ? "true" : "false";
}
