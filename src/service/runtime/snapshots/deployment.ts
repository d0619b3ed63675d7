import { placeOf, placesOf } from "../../environments/snapshots/difference.ts";
import type { Origin } from "../../evidence/compliance/latest-reports.ts";
import { inSlices } from "../../kernel/slices.ts";
import type { Database } from "../../store/tables.ts";
import type { KeptFlow } from "../running/deployed-flows.ts";
import { type Opening, readKeptFlows, type StateRow } from "../running/intervals.ts";

const NO_FLOWS: readonly KeptFlow[] = [];

interface Surroundings {
  /** What ran before, by `artifactKey`. */
  before: ReadonlyMap<string, StateRow>;
  /** The intervals of it whose artifacts run on. */
  runningOn: ReadonlySet<number>;
  /** Where it comes from, by fingerprint. */
  origins: ReadonlyMap<string, readonly Origin[]>;
  /** Unix seconds. */
  now: number;
}

/**
 * Adds to the artifacts whose state begins the flows that they come from, and what they replace there. One that ran
 * already keeps what was said when it started.
 */
export async function withFlows(
  db: Database,
  opened: readonly Opening[],
  { before, runningOn, origins, now }: Surroundings,
): Promise<(Opening & { flows: readonly KeptFlow[] })[]> {
  if (origins.size === 0) return opened.map((opening) => ({ ...opening, flows: NO_FLOWS }));
  const earlier = opened.flatMap((opening) => opening.before?.id ?? []);
  const kept = await readKeptFlows(db, earlier);
  const predecessors = await predecessorsIn(before);
  const flowOf = ({ artifact, before: own }: Opening, origin: Origin): KeptFlow => {
    const artifactId = origin.id;
    const known = own && kept.get(own.id)?.find(({ flowId }) => flowId === origin.flow.id);
    if (known) {
      const { startedAt, replaced, deploymentDiff, commitLeadTime } = known;
      return { artifactId, startedAt, replaced, deploymentDiff, commitLeadTime };
    }
    const replaced = predecessors(placeOf(origin), artifact.fingerprint);
    return {
      artifactId,
      ...(own ? {} : { startedAt: now }),
      ...(replaced && {
        replaced: { intervalId: replaced.row.id, stillRuns: runningOn.has(replaced.row.id) },
      }),
    };
  };
  return inSlices(opened, (slice) =>
    slice.map((opening) => ({
      ...opening,
      flows: (origins.get(opening.artifact.fingerprint) ?? []).map((origin) => flowOf(opening, origin)),
    })),
  );
}

/** What ran, with its `artifactKey`. */
interface Ran {
  key: string;
  row: StateRow;
}

/** Finds what ran in a place and was another artifact; of several the first by `artifactKey`. */
async function predecessorsIn(
  before: ReadonlyMap<string, StateRow>,
): Promise<(place: string, fingerprint: string) => Ran | undefined> {
  // The first, and the first of those with another fingerprint: nobody asks for more.
  const byPlace = new Map<string, readonly Ran[]>();
  const add = (place: string, ran: Ran) => {
    const known = byPlace.get(place) ?? [];
    const [first = ran, other] = known;
    const isOther = ran.row.fingerprint !== first.row.fingerprint;
    if (ran.key < first.key) byPlace.set(place, [ran, ...(isOther ? [first] : known.slice(1))]);
    else if (known.length === 0) byPlace.set(place, [ran]);
    else if (isOther && (!other || ran.key < other.key)) byPlace.set(place, [first, ran]);
  };
  await inSlices([...before], (slice) => {
    for (const [key, row] of slice) for (const place of placesOf(row.origins)) add(place, { key, row });
    return [];
  });
  return (place, fingerprint) => byPlace.get(place)?.find(({ row }) => row.fingerprint !== fingerprint);
}
