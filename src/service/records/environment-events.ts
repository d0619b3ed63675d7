import type { SelectQueryBuilder } from "kysely";
import { artifactKey } from "../policies/evaluate-environment.ts";
import type { Database, Tables } from "../store/tables.ts";
import { asRecord, type SnapshotArtifactRecord } from "./snapshots.ts";

/** Which events are meant. Absent bounds are open. */
export interface EventFilter {
  environmentIds: readonly string[];
  /** Numbers of snapshots, both ends among them. */
  firstNumber?: number | undefined;
  lastNumber?: number | undefined;
  /** Unix seconds; the events at this time are among them. */
  from?: number | undefined;
  /** Unix seconds; the events at this time are among them as well. */
  until?: number | undefined;
  /** Unix seconds; the events at this time are not among them. */
  before?: number | undefined;
  /** Ours; only what was built from one of these. */
  repoIds?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  /** Only what was built in one of these flows; none stands for what nobody here has built. */
  flowNames?: readonly string[] | undefined;
  /** With `flowNames`: also what nobody here has built. */
  orWithoutProvenance?: boolean | undefined;
}

/** What changed about an artifact in an environment. */
export interface EventRecord {
  environmentId: string;
  snapshotNumber: number;
  snapshotCompliant: boolean;
  /** Unix seconds. */
  reportedAt: number;
  name: string;
  fingerprint: string;
  type: string;
  was: number;
  now: number;
  /** As it is in the snapshot; of what stopped running, as it was in the one before. */
  artifact: SnapshotArtifactRecord | undefined;
}

interface Portion {
  /** How many events come before those that are asked for. */
  skip: number;
  limit: number;
  newestFirst: boolean;
}

/** Some of the events that pass a filter, and how many there are in all. */
export async function listEvents(
  db: Database,
  orgId: string,
  filter: EventFilter,
  portion: Portion,
): Promise<{ total: number; events: EventRecord[] }> {
  if (filter.environmentIds.length === 0) return { total: 0, events: [] };
  const { total } = await eventsMatching(db, orgId, filter)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { total: Number(total), events: await someEvents(db, orgId, filter, portion) };
}

/** The same without the count. */
export async function someEvents(
  db: Database,
  orgId: string,
  filter: EventFilter,
  { skip, limit, newestFirst }: Portion,
): Promise<EventRecord[]> {
  if (filter.environmentIds.length === 0) return [];
  const direction = newestFirst ? "desc" : "asc";
  let selected = eventsMatching(db, orgId, filter)
    .select(["snapshots.id", "snapshots.environment_id", "snapshots.number", "snapshots.compliant"])
    .select(["snapshots.created_at", "snapshot_events.name", "snapshot_events.fingerprint"])
    .select(["snapshot_events.type", "instances_before", "instances_after"])
    .select(({ selectFrom }) =>
      selectFrom("snapshots as previous")
        .select("previous.id")
        .whereRef("previous.environment_id", "=", "snapshots.environment_id")
        .whereRef("previous.number", "=", (eb) => eb("snapshots.number", "-", 1))
        .as("previous_id"),
    );
  if (filter.environmentIds.length > 1) {
    selected = selected
      .orderBy("snapshots.created_at", direction)
      .orderBy("snapshots.environment_id", direction);
  }
  const rows = await selected
    .orderBy("snapshots.number", direction)
    .orderBy("snapshot_events.name")
    .orderBy("snapshot_events.fingerprint")
    .limit(limit)
    .offset(skip)
    .execute();
  const events = rows.map((row) => ({ ...row, source: row.type === "exited" ? row.previous_id : row.id }));
  const artifacts = await artifactsAmong(db, events);
  return events.map((row) => ({
    environmentId: row.environment_id,
    snapshotNumber: row.number,
    snapshotCompliant: row.compliant === 1,
    reportedAt: row.created_at,
    name: row.name,
    fingerprint: row.fingerprint,
    type: row.type,
    was: row.instances_before,
    now: row.instances_after,
    artifact: artifacts.get(`${row.source} ${artifactKey(row)}`),
  }));
}

type Joined = SelectQueryBuilder<Tables, "snapshots" | "snapshot_events", object>;

function eventsMatching(db: Database, orgId: string, filter: EventFilter): Joined {
  const { environmentIds, firstNumber, lastNumber, from, until, before, repoIds } = filter;
  const [only, ...others] = environmentIds;
  let query: Joined = db
    .selectFrom("snapshots")
    .innerJoin("snapshot_events", "snapshot_events.snapshot_id", "snapshots.id");
  // By equality where it can be, so that the index gives the order as well.
  query =
    others.length === 0 && only !== undefined
      ? query.where("snapshots.environment_id", "=", only)
      : query.where("snapshots.environment_id", "in", environmentIds);
  if (firstNumber !== undefined) query = query.where("snapshots.number", ">=", firstNumber);
  if (lastNumber !== undefined) query = query.where("snapshots.number", "<=", lastNumber);
  if (from !== undefined) query = query.where("snapshots.created_at", ">=", from);
  if (until !== undefined) query = query.where("snapshots.created_at", "<=", until);
  if (before !== undefined) query = query.where("snapshots.created_at", "<", before);
  if (repoIds !== undefined) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("artifacts")
          .select("artifacts.id")
          .whereRef("artifacts.fingerprint", "=", "snapshot_events.fingerprint")
          .where("artifacts.org_id", "=", orgId)
          .where("artifacts.repo_id", "in", repoIds),
      ),
    );
  }
  if (filter.types !== undefined) query = query.where("snapshot_events.type", "in", filter.types);
  const { flowNames, orWithoutProvenance = false } = filter;
  if (flowNames !== undefined) {
    query = query.where((eb) => {
      const reports = eb
        .selectFrom("artifacts")
        .select("artifacts.id")
        .whereRef("artifacts.fingerprint", "=", "snapshot_events.fingerprint")
        .where("artifacts.org_id", "=", orgId);
      const unbuilt = eb.not(eb.exists(reports));
      if (flowNames.length === 0) return unbuilt;
      const inFlows = reports
        .innerJoin("flows", "flows.id", "artifacts.flow_id")
        .where("flows.name", "in", flowNames);
      return orWithoutProvenance ? eb.or([eb.exists(inFlows), unbuilt]) : eb.exists(inFlows);
    });
  }
  return query;
}

interface ArtifactPlace {
  source: string | null;
  name: string;
  fingerprint: string;
}

/** Places in one statement: they are spelled out, and how long a condition may be is limited. */
const PLACES_PER_QUERY = 100;

/** The artifacts of a page of events, by snapshot and `artifactKey`. */
async function artifactsAmong(
  db: Database,
  places: readonly ArtifactPlace[],
): Promise<ReadonlyMap<string, SnapshotArtifactRecord>> {
  const found = new Map<string, SnapshotArtifactRecord>();
  for (let start = 0; start < places.length; start += PLACES_PER_QUERY) {
    const some = places.slice(start, start + PLACES_PER_QUERY);
    const rows = await db
      .selectFrom("snapshot_artifacts")
      .selectAll()
      .where(({ and, or, eb }) =>
        or(
          some.map(({ source, name, fingerprint }) =>
            and([eb("snapshot_id", "=", source), eb("name", "=", name), eb("fingerprint", "=", fingerprint)]),
          ),
        ),
      )
      .execute();
    for (const row of rows) found.set(`${row.snapshot_id} ${artifactKey(row)}`, asRecord(row));
  }
  return found;
}
