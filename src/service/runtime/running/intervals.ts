import type { Selectable } from "kysely";
import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import { parseExactJson } from "../../kernel/exact-json.ts";
import { inSlices, letOthersIn } from "../../kernel/slices.ts";
import { insertRows, listed, listedNumbers } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import type { Instance, RunningArtifact } from "./artifact.ts";
import type { ChangeType } from "./changes.ts";
import { type DeployedFlow, deployedFlows, type StoredFlow, storedFlows } from "./deployed-flows.ts";

type IntervalRow = Selectable<Tables["running_intervals"]>;

export interface SnapshotArtifactRecord {
  name: string;
  /** Empty if unknown. */
  fingerprint: string;
  instances: readonly Instance[];
  /** Null without policies. */
  compliant: boolean | null;
  /** Allowed, regardless of the policies. */
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

/** Columns that show whether a state is unchanged. */
export type StateRow = Pick<IntervalRow, (typeof STATE_COLUMNS)[number]>;

/** States in one query. */
const STATES_AT_ONCE = 10_000;

export async function runningNow(db: Database, environmentId: string): Promise<StateRow[]> {
  const states: StateRow[] = [];
  for (let last = 0; ; ) {
    const slice = await db
      .selectFrom("running_intervals")
      .select(STATE_COLUMNS)
      .where("environment_id", "=", environmentId)
      .where("until", "is", null)
      // Without it, the index does not give the order.
      .where("ended", "=", 0)
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

/** In the order of the given ids. */
export function readIntervals(db: Database, ids: readonly number[]) {
  return inSlices(ids, async (slice) => {
    const rows = await db
      .selectFrom("running_intervals")
      .selectAll()
      .where("id", "in", listedNumbers(slice))
      .execute();
    const flows = await deployedFlows(db, rows);
    const byId = new Map(
      rows.map((row, place) => [row.id, { row, record: asRecord(row, flows[place] ?? []) }]),
    );
    return slice.flatMap((id) => byId.get(id) ?? []);
  });
}

/** By interval id, each with its flow's id. */
export async function readStoredFlows(db: Database, ids: readonly number[]) {
  const found = await inSlices(ids, async (slice) => {
    const rows = await db
      .selectFrom("running_intervals")
      .select(["id", "flows"])
      .where("id", "in", listedNumbers(slice))
      .execute();
    const stored = rows.map((row) => [row.id, storedFlows(row)] as const);
    const artifactIds = stored.flatMap(([, flows]) => flows.map(({ artifactId }) => artifactId));
    const artifacts = await db
      .selectFrom("artifacts")
      .select(["id", "flow_id"])
      .where("id", "in", listed(artifactIds))
      .execute();
    const flowIds = new Map(artifacts.map(({ id, flow_id }) => [id, flow_id]));
    return stored.map(
      ([id, flows]) =>
        [id, flows.map((flow) => ({ ...flow, flowId: flowIds.get(flow.artifactId) ?? "" }))] as const,
    );
  });
  return new Map(found);
}

export function runningArtifact({ name, fingerprint, instances }: StateRow): RunningArtifact {
  return { name, fingerprint, instances: JSON.parse(instances) };
}

export type SnapshotPlace = Pick<Tables["snapshots"], "environment_id" | "number">;

const PLACE_COLUMNS = ["id", "compliant", "name", "fingerprint"] as const;

export type IntervalPlace = Pick<IntervalRow, (typeof PLACE_COLUMNS)[number]>;

/** Intervals in one query. */
const PLACES_AT_ONCE = 2_000;

/** Position from which a scan continues. Open intervals have no end and are scanned by id. */
type ScanPlace = Pick<IntervalRow, "id" | "until" | "ended">;

/**
 * Intervals of a snapshot, sorted by name. A report between two slices may end open intervals, so these are read first.
 * Then an interval that ends during the scan may be found twice and is kept once, but is never missed.
 */
export async function intervalsOf(db: Database, { environment_id, number }: SnapshotPlace) {
  const ofEnvironment = db.selectFrom("running_intervals").where("environment_id", "=", environment_id);
  const holding = ofEnvironment.where("until", "is", null).where("ended", "=", 0).orderBy("id");
  // In the order of an index.
  const ended = ofEnvironment.orderBy("until").orderBy("ended").orderBy("id");
  const found = new Map<number, IntervalPlace>();
  const scan = async (start: ScanPlace, after: (last: ScanPlace) => typeof ended) => {
    for (let last: ScanPlace | undefined = start; last; ) {
      const rest = after(last);
      // Read before the slice: an end in between extends the slice and never shortens it.
      const next = await rest
        .select(["id", "until", "ended"])
        .limit(1)
        .offset(PLACES_AT_ONCE - 1)
        .executeTakeFirst();
      // Cut before filtering, as most rows may begin after the snapshot.
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
  await scan({ id: 0, until: null, ended: 0 }, ({ id }) => holding.where("id", ">", id));
  await scan({ id: 0, until: number + 1, ended: 0 }, ({ id, until, ended: isEnded }) =>
    ended.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("until", "ended", "id"), ">", tuple(until, isEnded, id)),
    ),
  );
  return byName([...found.values()]);
}

/** Intervals in the previous snapshot but not in this one, sorted by name. */
export async function intervalsEnding(db: Database, { environment_id, number }: SnapshotPlace) {
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

/** Sorted by name. */
export async function artifactsIn(db: Database, snapshot: SnapshotPlace): Promise<SnapshotArtifactRecord[]> {
  const places = await intervalsOf(db, snapshot);
  const found = await readIntervals(db, idsOf(places));
  return found.map(({ record }) => record);
}

export interface Opening {
  artifact: EvaluatedArtifact;
  /** In the previous snapshot; absent if it did not run. */
  before: StateRow | undefined;
  change: ChangeType | null;
  /** As stored. */
  origins: string;
}

export interface Closing {
  id: number;
  /** Whether the artifact stopped. */
  ended: boolean;
}

export interface EvaluatedArtifact extends RunningArtifact {
  /** Null without policies. */
  compliant: boolean | null;
  /** Allowed, regardless of the policies. */
  allowed: boolean;
  policyDecisions: readonly PolicyEvaluation[];
}

export function flagOf(value: boolean | null): number | null {
  return value === null ? null : Number(value);
}

export interface Turn {
  environmentId: string;
  /** Number of the snapshot. */
  number: number;
  /** Fingerprints of the previous snapshot. */
  ranBefore: Iterable<string>;
  opened: readonly (Opening & { flows: readonly StoredFlow[] })[];
  closed: readonly Closing[];
}

export async function writeIntervals(
  db: Database,
  { environmentId, number, ranBefore, opened, closed }: Turn,
): Promise<void> {
  for (const ended of [false, true]) {
    const ids = closed.filter((closing) => closing.ended === ended).map(({ id }) => id);
    const values = { until: number, ended: Number(ended) };
    await inSlices(ids, async (slice) => {
      await db.updateTable("running_intervals").set(values).where("id", "in", listedNumbers(slice)).execute();
      return [];
    });
  }
  // Artifacts with an unknown digest are never deployments.
  const known = new Set(ranBefore).add("");
  const rows = opened.toSorted(byFingerprint).map(({ artifact, before, change, origins, flows }) => ({
    environment_id: environmentId,
    name: artifact.name,
    fingerprint: artifact.fingerprint,
    since: number,
    until: null,
    change,
    instances_before: before?.instance_count ?? 0,
    is_deployment: Number(isNew(known, artifact.fingerprint)),
    instance_count: artifact.instances.length,
    ended: 0,
    compliant: flagOf(artifact.compliant),
    allowed: Number(artifact.allowed),
    origins,
    instances: artifact.instances,
    decisions: artifact.policyDecisions,
    flows,
  }));
  await insertRows(db, "running_intervals", rows, ["instances", "decisions", "flows"]);
}

/** Index order, so that each page is touched once. */
function byFingerprint({ artifact: a }: Opening, { artifact: b }: Opening): number {
  if (a.fingerprint !== b.fingerprint) return a.fingerprint < b.fingerprint ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

/** Whether the set did not have the item. It has the item afterwards. */
function isNew<Item>(items: Set<Item>, item: Item): boolean {
  return items.size < items.add(item).size;
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

// Written by this service from this type.
function decisionsOf({ decisions }: Pick<IntervalRow, "decisions">): PolicyEvaluation[] {
  return parseExactJson(decisions) as PolicyEvaluation[];
}

export function asBoolean(flag: number | null): boolean | null {
  return flag === null ? null : flag === 1;
}
