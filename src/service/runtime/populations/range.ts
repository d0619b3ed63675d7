import { indexesOf } from "../../events/log/leaves.ts";
import type { SignedLog, StoredEvent } from "../../events/log/proofs.ts";
import { idBefore } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";

/** Events in memory at a time. */
const EVENTS_AT_A_TIME = 1_000;

interface Period {
  readonly from: number;
  readonly to: number;
}

/** Events from the last one before a period to the first one after it, wherever a clock was set back. */
export interface LogRange {
  /** Position in the log. */
  readonly first: number;
  /** Position after the last one. */
  readonly end: number;
  readonly firstSequence: number;
}

/** Undefined for an empty log. */
export async function rangeOf(
  db: Database,
  orgId: string,
  period: Period,
  { size }: Pick<SignedLog, "size">,
): Promise<LogRange | undefined> {
  const { least, greatest } = await sequencesIn(db, orgId, period);
  const before =
    least === null ? await lastBefore(db, orgId, period.from) : await neighbor(db, orgId, "<", least);
  const start = before ?? (await neighbor(db, orgId, ">", 0));
  if (start === undefined) return undefined;
  const last = (await neighbor(db, orgId, ">", greatest ?? start.sequence)) ?? undefined;
  const [first] = await indexesOf(db, orgId, [start]);
  const [next] = last === undefined ? [] : await indexesOf(db, orgId, [last]);
  if (first === undefined || first.index >= size) return undefined;
  // The checkpoint may lack the latest events.
  const end = Math.min(next === undefined ? size : next.index + 1, size);
  return { first: first.index, end, firstSequence: start.sequence };
}

/** The ids of events begin with their time, so no other index is needed. */
async function sequencesIn(db: Database, orgId: string, { from, to }: Period) {
  const { least, greatest } = await db
    .selectFrom("events")
    .select(({ fn }) => [fn.min("sequence").as("least"), fn.max("sequence").as("greatest")])
    .where("org_id", "=", orgId)
    .where("id", ">=", idBefore(from))
    .where("id", "<", idBefore(to + 0.002))
    .where("at", ">=", from)
    .where("at", "<", to)
    .executeTakeFirstOrThrow();
  return { least, greatest };
}

function neighbor(db: Database, orgId: string, side: "<" | ">", sequence: number) {
  return db
    .selectFrom("events")
    .select(["sequence", "digest"])
    .where("org_id", "=", orgId)
    .where("sequence", side, sequence)
    .orderBy("sequence", side === "<" ? "desc" : "asc")
    .limit(1)
    .executeTakeFirst();
}

function lastBefore(db: Database, orgId: string, from: number) {
  return db
    .selectFrom("events")
    .select(["sequence", "digest"])
    .where("org_id", "=", orgId)
    .where("at", "<", from)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The events of a range in the order of the log, in parts. They never change. */
export async function* eventsOf(
  read: (query: (db: Database) => Promise<StoredEvent[]>) => Promise<StoredEvent[]>,
  orgId: string,
  { first, end, firstSequence }: LogRange,
): AsyncGenerator<StoredEvent[]> {
  let sequence = firstSequence;
  for (let left = end - first; left > 0; ) {
    const limit = Math.min(left, EVENTS_AT_A_TIME);
    const events = await read((db) =>
      db
        .selectFrom("events")
        .selectAll()
        .where("org_id", "=", orgId)
        .where("sequence", ">=", sequence)
        .orderBy("sequence")
        .limit(limit)
        .execute(),
    );
    const last = events.at(-1);
    if (last === undefined) return;
    yield events;
    left -= events.length;
    sequence = last.sequence + 1;
  }
}
