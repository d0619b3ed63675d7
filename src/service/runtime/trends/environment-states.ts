import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { type Bucket, placeIn } from "./buckets.ts";

export interface StateSeconds {
  compliant: number;
  nonCompliant: number;
  unknown: number;
}

type Environment = Pick<Tables["environments"], "id" | "last_reported_at">;

interface State {
  created_at: number;
  state: number | null;
}

/** Reports that are missing for longer leave the state unknown. */
const SILENCE = 86_400;

/**
 * Seconds in each state by bucket, by environment. Before the first snapshot, none counts.
 *
 * @param until end of the figures, in Unix seconds, not after `now`
 */
export async function stateSeconds(
  db: Database,
  environments: readonly Environment[],
  { buckets, until, now }: { buckets: readonly Bucket[]; until: number; now: number },
): Promise<ReadonlyMap<string, StateSeconds[]>> {
  const from = buckets[0]?.start ?? until;
  const states = await statesOf(db, idsOf(environments), from, until);
  return new Map(
    environments.map((environment) => {
      const seconds = buckets.map((): StateSeconds => ({ compliant: 0, nonCompliant: 0, unknown: 0 }));
      for (const span of spansOf(environment, states.get(environment.id) ?? [], { until, now })) {
        addSpan(seconds, buckets, span);
      }
      return [environment.id, seconds];
    }),
  );
}

/** Changes of the state, oldest first, each with the state before the window. */
async function statesOf(db: Database, ids: readonly string[], from: number, until: number) {
  const before = await db
    .selectFrom("environments")
    .select((eb) => {
      const last = eb
        .selectFrom("snapshots as own")
        .whereRef("own.environment_id", "=", "environments.id")
        .where("own.created_at", "<", from)
        .orderBy("own.created_at", "desc")
        .orderBy("own.number", "desc")
        .limit(1);
      return [
        "environments.id",
        last.select("own.number").as("number"),
        last.select("own.state").as("state"),
      ];
    })
    .where("environments.id", "in", listed(ids))
    .execute();
  const within = await db
    .selectFrom("snapshots")
    .select(["environment_id", "created_at", "state"])
    .where("environment_id", "in", listed(ids))
    .where("created_at", ">=", from)
    .where("created_at", "<=", until)
    .orderBy("environment_id")
    .orderBy("created_at")
    .orderBy("number")
    .execute();
  const first = before.flatMap(({ id, number, state }) =>
    number === null ? [] : [{ environment_id: id, created_at: from, state }],
  );
  return Map.groupBy([...first, ...within], ({ environment_id }) => environment_id);
}

interface Span {
  start: number;
  end: number;
  state: number | null;
}

function spansOf(
  { last_reported_at }: Environment,
  states: readonly State[],
  { until, now }: { until: number; now: number },
): Span[] {
  const isSilent = last_reported_at !== null && now - last_reported_at > SILENCE;
  return states.flatMap(({ created_at: start, state }, index) => {
    const next = states[index + 1];
    if (next) return [{ start, end: next.created_at, state }];
    // A later snapshot may follow after the window, so only reports that ended before it make the state unknown.
    const known = isSilent ? Math.min(until, Math.max(start, last_reported_at)) : until;
    return [
      { start, end: known, state },
      { start: known, end: until, state: null },
    ];
  });
}

function addSpan(seconds: readonly StateSeconds[], buckets: readonly Bucket[], { start, end, state }: Span) {
  for (let place = Math.max(0, placeIn(buckets, start)); place < buckets.length; place++) {
    const bucket = buckets[place];
    const sum = seconds[place];
    if (!bucket || !sum || bucket.start >= end) return;
    const length = Math.max(0, Math.min(end, bucket.end) - Math.max(start, bucket.start));
    if (state === null) sum.unknown += length;
    else if (state === 1) sum.compliant += length;
    else sum.nonCompliant += length;
  }
}
