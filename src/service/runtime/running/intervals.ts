import type { Selectable } from "kysely";
import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import { parseExactJson } from "../../kernel/exact-json.ts";
import { inSlices, letOthersIn } from "../../kernel/slices.ts";
import { insertRows, listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import type { Instance, RunningArtifact } from "./artifact.ts";
import type { ChangeType } from "./changes.ts";
import { type DeployedFlow, deployedFlows, type KeptFlow, keptFlows } from "./deployed-flows.ts";

export type IntervalRow = Selectable<Tables["running_intervals"]>;

/** An artifact as it runs, or ran. */
export interface SnapshotArtifactRecord {
  name: string;
  /** Empty when it is not known what runs. */
  fingerprint: string;
  instances: readonly Instance[];
  /** Null without policies. */
  compliant: boolean | null;
  /** It may run whatever the policies say. */
  allowed: boolean;
  policyDecisions: readonly PolicyEvaluation[];
  flows: readonly DeployedFlow[];
}

const STATE_COLUMNS = [
  "id",
  "name",
  "fingerprint",
  "instance_count",
  "compliant",
  "allowed",
  "origins",
  "instances",
  "decisions",
] as const;

/** What tells whether the state of an artifact is still the same. */
export type StateRow = Pick<IntervalRow, (typeof STATE_COLUMNS)[number]>;

/** How many states one query reads. */
const STATES_AT_ONCE = 10_000;

/** The states that hold in an environment now. */
export async function runningNow(db: Database, environmentId: string): Promise<StateRow[]> {
  const states: StateRow[] = [];
  for (let last = 0; ; ) {
    const slice = await db
      .selectFrom("running_intervals")
      .select(STATE_COLUMNS)
      .where("environment_id", "=", environmentId)
      .where("until", "is", null)
      .where("id", ">", last)
      .orderBy("id")
      .limit(STATES_AT_ONCE)
      .execute();
    for (const state of slice) states.push(state);
    const newest = slice.at(-1);
    if (newest === undefined || slice.length < STATES_AT_ONCE) return states;
    last = newest.id;
    await letOthersIn();
  }
}

/** Intervals with the records they make, in the order of their ids given. */
export function readIntervals(
  db: Database,
  ids: readonly number[],
): Promise<{ row: IntervalRow; record: SnapshotArtifactRecord }[]> {
  return inSlices(ids, async (slice) => {
    const rows = await db
      .selectFrom("running_intervals")
      .selectAll()
      .where("id", "in", listed(slice))
      .execute();
    const flows = await deployedFlows(db, rows);
    const byId = new Map(
      rows.map((row, place) => [row.id, { row, record: asRecord(row, flows[place] ?? []) }]),
    );
    return slice.flatMap((id) => byId.get(id) ?? []);
  });
}

/** What intervals keep of where their artifacts come from, by their ids, each with the id of its flow. */
export async function readKeptFlows(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly (KeptFlow & { flowId: string })[]>> {
  const found = await inSlices(ids, async (slice) => {
    const rows = await db
      .selectFrom("running_intervals")
      .select(["id", "flows"])
      .where("id", "in", listed(slice))
      .execute();
    const kept = rows.map((row) => [row.id, keptFlows(row)] as const);
    const artifactIds = kept.flatMap(([, flows]) => flows.map(({ artifactId }) => artifactId));
    const artifacts = await db
      .selectFrom("artifacts")
      .select(["id", "flow_id"])
      .where("id", "in", listed(artifactIds))
      .execute();
    const flowIds = new Map(artifacts.map(({ id, flow_id }) => [id, flow_id]));
    return kept.map(
      ([id, flows]) =>
        [id, flows.map((flow) => ({ ...flow, flowId: flowIds.get(flow.artifactId) ?? "" }))] as const,
    );
  });
  return new Map(found);
}

/** An artifact as its state has it. */
export function runningArtifact({ name, fingerprint, instances }: StateRow): RunningArtifact {
  return { name, fingerprint, instances: JSON.parse(instances) };
}

/** Which snapshot of an environment is meant. */
export type SnapshotPlace = Pick<Tables["snapshots"], "environment_id" | "number">;

const PLACE_COLUMNS = ["id", "compliant", "name", "fingerprint"] as const;

/** An interval that a snapshot shows. */
export type IntervalPlace = Pick<IntervalRow, (typeof PLACE_COLUMNS)[number]>;

/** How many intervals one query looks at. */
const PLACES_AT_ONCE = 2_000;

/** The last interval that a scan has read. Those that still hold have no end, and are scanned by id alone. */
type ScanPlace = Pick<IntervalRow, "id" | "until">;

/**
 * What ran in a snapshot, sorted by name. It is read in slices, and a report between two slices may end intervals
 * that still hold. These are read first: an interval that ends meanwhile is then found twice and kept once, but never
 * missed.
 */
export async function intervalsOf(
  db: Database,
  { environment_id, number }: SnapshotPlace,
): Promise<IntervalPlace[]> {
  const ofEnvironment = db.selectFrom("running_intervals").where("environment_id", "=", environment_id);
  const holding = ofEnvironment.where("until", "is", null).orderBy("id");
  const ended = ofEnvironment.orderBy("until").orderBy("id");
  const found = new Map<number, IntervalPlace>();
  const scan = async (start: ScanPlace, after: (last: ScanPlace) => typeof ended) => {
    for (let last: ScanPlace | undefined = start; last; ) {
      const rest = after(last);
      // Read before the slice: what ends in between makes the slice reach further, and never less far.
      const next = await rest
        .select(["id", "until"])
        .limit(1)
        .offset(PLACES_AT_ONCE - 1)
        .executeTakeFirst();
      // Cut off before anything is left out, as most of it may have begun after the snapshot.
      const slice = rest
        .select([...PLACE_COLUMNS, "since"])
        .limit(PLACES_AT_ONCE)
        .as("slice");
      const places = await db.selectFrom(slice).select(PLACE_COLUMNS).where("since", "<=", number).execute();
      for (const place of places) found.set(place.id, place);
      last = next;
      if (last) await letOthersIn();
    }
  };
  await scan({ id: 0, until: null }, ({ id }) => holding.where("id", ">", id));
  await scan({ id: 0, until: number + 1 }, ({ id, until }) =>
    ended.where(({ eb, refTuple, tuple }) => eb(refTuple("until", "id"), ">", tuple(until, id))),
  );
  return byName([...found.values()]);
}

/** What ran in the snapshot before one and no longer in it, sorted by name. */
export async function intervalsEnding(
  db: Database,
  { environment_id, number }: SnapshotPlace,
): Promise<IntervalPlace[]> {
  const ended = await db
    .selectFrom("running_intervals")
    .select(PLACE_COLUMNS)
    .where("environment_id", "=", environment_id)
    .where("until", "=", number)
    .where("ended", "=", 1)
    .execute();
  return byName(ended);
}

function byName(places: IntervalPlace[]): IntervalPlace[] {
  return places.sort((a, b) => {
    if (a.name !== b.name) return a.name < b.name ? -1 : 1;
    return a.fingerprint < b.fingerprint ? -1 : 1;
  });
}

/** What ran in a snapshot, sorted by name. */
export async function artifactsIn(db: Database, snapshot: SnapshotPlace): Promise<SnapshotArtifactRecord[]> {
  const places = await intervalsOf(db, snapshot);
  const found = await readIntervals(
    db,
    places.map(({ id }) => id),
  );
  return found.map(({ record }) => record);
}

/** An artifact whose state begins with a snapshot. */
export interface Opening {
  artifact: JudgedArtifact;
  /** Its state in the snapshot before. Absent when it did not run. */
  before: StateRow | undefined;
  change: ChangeType | null;
  /** As the column has it. */
  origins: string;
}

/** A state that held up to a snapshot. */
export interface Closing {
  id: number;
  /** Whether the artifact no longer runs. */
  ended: boolean;
}

/** An artifact that runs, and whether it may. */
export interface JudgedArtifact extends RunningArtifact {
  /** Null without policies. */
  compliant: boolean | null;
  /** It may run whatever the policies say. */
  allowed: boolean;
  policyDecisions: readonly PolicyEvaluation[];
}

/** A boolean as a column holds it. */
export function flagOf(value: boolean | null): number | null {
  return value === null ? null : Number(value);
}

/** What begins and ends with a snapshot. */
export interface Turn {
  environmentId: string;
  /** Of the snapshot. */
  number: number;
  opened: readonly (Opening & { flows: readonly KeptFlow[] })[];
  closed: readonly Closing[];
}

/** Records which states begin with a snapshot, and which it ends. */
export async function writeIntervals(
  db: Database,
  { environmentId, number, opened, closed }: Turn,
): Promise<void> {
  for (const ended of [false, true]) {
    const ids = closed.filter((closing) => closing.ended === ended).map(({ id }) => id);
    const values = { until: number, ended: Number(ended) };
    await inSlices(ids, async (slice) => {
      await db.updateTable("running_intervals").set(values).where("id", "in", listed(slice)).execute();
      return [];
    });
  }
  const rows = opened.map(({ artifact, before, change, origins, flows }) => ({
    environment_id: environmentId,
    name: artifact.name,
    fingerprint: artifact.fingerprint,
    since: number,
    until: null,
    change,
    instances_before: before?.instance_count ?? 0,
    instance_count: artifact.instances.length,
    ended: 0,
    compliant: flagOf(artifact.compliant),
    allowed: Number(artifact.allowed),
    origins,
    instances: artifact.instances,
    decisions: artifact.policyDecisions,
    flows,
  }));
  await insertRows(db, "running_intervals", rows.sort(byFingerprint), ["instances", "decisions", "flows"]);
}

/** The order of the indexes they go into: each of their pages is touched once. */
function byFingerprint(a: { fingerprint: string }, b: { fingerprint: string }): number {
  return a.fingerprint < b.fingerprint ? -1 : 1;
}

function asRecord(row: IntervalRow, flows: readonly DeployedFlow[]): SnapshotArtifactRecord {
  return {
    name: row.name,
    fingerprint: row.fingerprint,
    instances: JSON.parse(row.instances),
    compliant: asBoolean(row.compliant),
    allowed: row.allowed === 1,
    policyDecisions: row.decisions === "[]" ? [] : decisionsOf(row),
    flows,
  };
}

// Written by this service from values of this type.
function decisionsOf({ decisions }: Pick<IntervalRow, "decisions">): PolicyEvaluation[] {
  return parseExactJson(decisions) as PolicyEvaluation[];
}

export function asBoolean(flag: number | null): boolean | null {
  return flag === null ? null : flag === 1;
}
