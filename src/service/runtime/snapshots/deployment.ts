import type { Origin } from "../../evidence/compliance/latest-reports.ts";
import { artifactKey } from "../../kernel/artifact-key.ts";
import { inSlices } from "../../kernel/slices.ts";
import type { Database } from "../../store/tables.ts";
import { instanceName, type RunningArtifact } from "../running/artifact.ts";
import { changeOf } from "../running/changes.ts";
import type { StoredFlow } from "../running/deployed-flows.ts";
import {
  type Closing,
  type EvaluatedArtifact,
  flagOf,
  type Opening,
  readStoredFlows,
  type StateRow,
} from "../running/intervals.ts";

const NO_FLOWS: readonly StoredFlow[] = [];

interface DeploymentContext {
  /** By `artifactKey`. */
  before: ReadonlyMap<string, StateRow>;
  /** Previous intervals whose artifacts still run. */
  runningOn: ReadonlySet<number>;
  /** Provenance by fingerprint. */
  origins: ReadonlyMap<string, readonly Origin[]>;
  /** Unix seconds. */
  now: number;
}

/**
 * Adds to starting artifacts their flows and the artifacts that they replace. An artifact that already ran keeps the
 * values from its start.
 */
export async function withFlows(
  db: Database,
  opened: readonly Opening[],
  { before, runningOn, origins, now }: DeploymentContext,
): Promise<(Opening & { flows: readonly StoredFlow[] })[]> {
  if (origins.size === 0) return opened.map((opening) => ({ ...opening, flows: NO_FLOWS }));
  const earlier = opened.flatMap((opening) => opening.before?.id ?? []);
  const stored = await readStoredFlows(db, earlier);
  const predecessors = await predecessorsIn(before);
  const flowOf = ({ artifact, before: own }: Opening, origin: Origin): StoredFlow => {
    const artifactId = origin.id;
    const known = own && stored.get(own.id)?.find(({ flowId }) => flowId === origin.flow.id);
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

interface Ran {
  key: string;
  row: StateRow;
}

/** Artifacts that ran in the same place before with another fingerprint; for each place the first by `artifactKey`. */
async function predecessorsIn(
  before: ReadonlyMap<string, StateRow>,
): Promise<(place: string, fingerprint: string) => Ran | undefined> {
  // The first two fingerprints are enough.
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

/** State changes to write. Unchanged artifacts are in neither list. */
interface Difference {
  opened: Opening[];
  closed: Closing[];
  /** Previous intervals whose artifacts still run. */
  runningOn: ReadonlySet<number>;
}

/**
 * @param before by `artifactKey`
 * @param origins provenance by fingerprint
 */
export async function differenceBetween(
  before: ReadonlyMap<string, StateRow>,
  after: readonly EvaluatedArtifact[],
  origins: ReadonlyMap<string, readonly Origin[]>,
): Promise<Difference> {
  const runningOn = new Set<number>();
  const opened = await inSlices(after, (slice) =>
    slice.flatMap((artifact): Opening[] => {
      const row = before.get(artifactKey(artifact));
      if (row) runningOn.add(row.id);
      const text = originsText(origins.get(artifact.fingerprint));
      if (row && isUnchanged(row, artifact, text)) return [];
      const change = changeOf(row && rowState(row), stateNow(artifact, text));
      return [{ artifact, before: row, change, origins: text }];
    }),
  );
  const replaced = opened.flatMap((opening) =>
    opening.before ? [{ id: opening.before.id, ended: false }] : [],
  );
  const gone = [...before.values()].flatMap(({ id }) => (runningOn.has(id) ? [] : [{ id, ended: true }]));
  return { opened, closed: [...replaced, ...gone], runningOn };
}

function isUnchanged(row: StateRow, now: EvaluatedArtifact, origins: string): boolean {
  return (
    row.origins === origins &&
    row.compliant === flagOf(now.compliant) &&
    row.allowed === Number(now.allowed) &&
    row.instances === JSON.stringify(now.instances) &&
    row.decisions === JSON.stringify(now.policyDecisions)
  );
}

function rowState(row: StateRow) {
  const instances: RunningArtifact["instances"] = JSON.parse(row.instances);
  return {
    instances: instances.map(instanceName),
    compliant: row.compliant === null ? null : row.compliant === 1,
    origins: row.origins,
  };
}

function stateNow({ instances, compliant }: EvaluatedArtifact, origins: string) {
  return { instances: instances.map(instanceName), compliant, origins };
}

function originsText(origins: readonly Origin[] | undefined): string {
  return origins === undefined ? NO_ORIGIN : `[${origins.map(originText).sort().join()}]`;
}

/** No provenance. */
const NO_ORIGIN = "[]";

function originText({ flow, trail, templateName, commitSha }: Origin): string {
  return JSON.stringify([flow.id, trail?.id ?? null, templateName, commitSha]);
}

/** A build replaces the earlier build of the same template name in its flow. */
function placeOf({ flow, templateName }: Pick<Origin, "flow" | "templateName">): string {
  return templateName === null ? flow.id : `${flow.id} ${templateName}`;
}

function placesOf(origins: string): string[] {
  if (origins === NO_ORIGIN) return [];
  const tuples: readonly [flowId: string, trailId: string | null, templateName: string | null][] =
    JSON.parse(origins);
  return tuples.map(([id, , templateName]) => placeOf({ flow: { id }, templateName }));
}
