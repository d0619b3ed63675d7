import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { type IntervalPlace, intervalsEnding, intervalsOf, type SnapshotPlace } from "./intervals.ts";

/** Ids of the intervals that a snapshot shows, sorted by artifact name. */
export interface SnapshotList {
  readonly running: readonly number[];
  /** Ran in the previous snapshot, but not in this one. */
  readonly ended: readonly number[];
  /** Running artifacts by state; null means without policies. */
  readonly compliance: Readonly<Record<"true" | "false" | "null", number>>;
}

/** Cached lists. A list takes eight bytes for each artifact. */
const MAX_CACHED_LISTS = 16;

type Lists = Map<string, Promise<SnapshotList>>;

/** By database, then by environment and number; the least recently used comes first. */
const listsOf = new WeakMap<Database, Lists>();

/** Snapshots never change, so concurrent and paging readers share one list. */
export function snapshotList(db: Database, snapshot: SnapshotPlace): Promise<SnapshotList> {
  const cache: Lists = listsOf.get(db) ?? new Map();
  listsOf.set(db, cache);
  const key = `${snapshot.environment_id} ${snapshot.number}`;
  const known = cache.get(key);
  const list = known ?? readList(db, snapshot);
  cache.delete(key);
  cache.set(key, list);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED_LISTS && oldest !== undefined) cache.delete(oldest);
  if (!known) list.catch(() => cache.delete(key));
  return list;
}

async function readList(db: Database, snapshot: SnapshotPlace): Promise<SnapshotList> {
  const running = await intervalsOf(db, snapshot);
  const ended = await intervalsEnding(db, snapshot);
  const compliance = { true: 0, false: 0, null: 0 };
  for (const { compliant } of running) compliance[complianceWord(compliant)]++;
  return { running: idsOf(running), ended: idsOf(ended), compliance };
}

function complianceWord(compliant: IntervalPlace["compliant"]): "true" | "false" | "null" {
  if (compliant === null) return "null";
  return compliant === 1 ? "true" : "false";
}
