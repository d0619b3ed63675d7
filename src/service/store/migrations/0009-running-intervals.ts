import type { Migration } from "kysely/migration";
import { artifactKey } from "../../kernel/artifact-key.ts";
import { parseExactJson } from "../../kernel/exact-json.ts";
import { changeTables, insertRows } from "../dialect.ts";
import { newId } from "../ids.ts";
import { withFlows } from "./0009/deployed-flows.ts";
import { provenanceOf } from "./0009/provenance.ts";
import { changeOf, type State } from "./0009/states.ts";
import type { OldDatabase, OldTables } from "./0009/tables.ts";

/** A state with the snapshot that it began with. */
interface OpenState extends State {
  since: number;
  change: string | null;
  instancesBefore: number;
  /** Equal for equal states. */
  text: string;
}

/**
 * Each snapshot had a row for each artifact that ran. Now an artifact has a row for each time that it ran in one
 * state, from a snapshot to a snapshot; what started and stopped is told by these rows. Snapshots of a service that
 * was killed may still wait to be spread over the tables: they are taken in as well.
 *
 * What it needs of the service of that time is beside it, in `0009/`, so that no later change reaches it.
 */
export const runningIntervals: Migration = {
  up: async (db: OldDatabase) => {
    await run(db, CREATE);
    const environments = await db.selectFrom("environments").select(["id", "org_id"]).execute();
    for (const environment of environments) await convert(db, environment);
    await run(db, DROP);
  },
};

const CREATE = [
  `create table running_intervals (
    id integer primary key,
    environment_id text not null references environments (id),
    name text not null,
    fingerprint text not null,
    since integer not null,
    until integer,
    change text,
    instances_before integer not null,
    instance_count integer not null,
    ended integer not null,
    compliant integer,
    allowed integer not null,
    origins text not null,
    instances text not null,
    decisions text not null,
    flows text not null
  )`,
  "create unique index running_intervals_now on running_intervals (environment_id, fingerprint, name) where until is null",
  "create index running_intervals_since on running_intervals (environment_id, since)",
  "create index running_intervals_until on running_intervals (environment_id, until)",
  "create index running_intervals_fingerprint on running_intervals (fingerprint, environment_id)",
];

const DROP = [
  "delete from trail_events where type in ('artifact_started_running', 'artifact_stopped_running')",
  "drop table snapshot_events",
  "drop table snapshot_artifacts",
  "drop table unfiled_snapshots",
];

async function run(db: OldDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await changeTables(db, statement);
}

async function convert(db: OldDatabase, { id, org_id }: { id: string; org_id: string }): Promise<void> {
  const flowIds = await flowIdsOf(db, org_id);
  const open = new Map<string, OpenState>();
  const turn = (number: number, states: readonly State[]) =>
    takeTurn(db, { environmentId: id, number, states, open, flowIds });
  const snapshots = await db
    .selectFrom("snapshots")
    .select(["id", "number"])
    .where("environment_id", "=", id)
    .orderBy("number")
    .execute();
  for (const snapshot of snapshots) await turn(snapshot.number, await statesOf(db, snapshot.id));
  const waiting = await db
    .selectFrom("unfiled_snapshots")
    .selectAll()
    .where("environment_id", "=", id)
    .orderBy("number")
    .execute();
  for (const row of waiting) {
    await turn(row.number, await file(db, row, { orgId: org_id, open }));
  }
  await write(
    db,
    [...open.values()].map((state) =>
      rowOf(state, { environmentId: id, until: null, ended: false, flowIds }),
    ),
  );
}

/** The flows of an organization by the names that they have and had. */
async function flowIdsOf(db: OldDatabase, orgId: string): Promise<ReadonlyMap<string, string>> {
  const former = await db
    .selectFrom("former_flow_names")
    .select(["name", "flow_id"])
    .where("org_id", "=", orgId)
    .execute();
  const flows = await db.selectFrom("flows").select(["id", "name"]).where("org_id", "=", orgId).execute();
  return new Map([
    ...former.map(({ name, flow_id }) => [name, flow_id] as const),
    ...flows.map(({ id, name }) => [name, id] as const),
  ]);
}

async function statesOf(db: OldDatabase, snapshotId: string): Promise<State[]> {
  const rows = await db
    .selectFrom("snapshot_artifacts")
    .selectAll()
    .where("snapshot_id", "=", snapshotId)
    .execute();
  return rows.map((row) => ({
    name: row.name,
    fingerprint: row.fingerprint,
    instances: JSON.parse(row.instances),
    compliant: row.compliant === null ? null : row.compliant === 1,
    allowed: false,
    policyDecisions: [],
    flows: [],
    // Written by an earlier version from values of these types; `{}` when there was nothing to say.
    ...(parseExactJson(row.details) as Partial<State>),
  }));
}

/** Records a snapshot that waited, as that version would have, and gives what ran in it. */
async function file(
  db: OldDatabase,
  row: OldTables["unfiled_snapshots"],
  { orgId, open }: { orgId: string; open: ReadonlyMap<string, OpenState> },
): Promise<State[]> {
  const { state, policies, artifacts } = parseExactJson(row.content) as {
    state: boolean | null;
    policies: readonly { id: string; name: string; version: number; failingArtifacts: unknown }[];
    artifacts: readonly Omit<State, "flows">[];
  };
  const id = newId();
  await db
    .insertInto("snapshots")
    .values({
      id,
      environment_id: row.environment_id,
      number: row.number,
      artifact_set: row.artifact_set,
      conditions: row.conditions,
      compliant: Number(state === true),
      state: state === null ? null : Number(state),
      policies: JSON.stringify(
        policies.map(({ failingArtifacts, ...policy }) => ({
          ...policy,
          failing_artifacts: failingArtifacts,
        })),
      ),
      created_at: row.created_at,
    })
    .execute();
  await db
    .updateTable("environments")
    .set({ latest_snapshot_id: id })
    .where("id", "=", row.environment_id)
    .execute();
  return withFlows(artifacts, {
    previous: [...open.values()].sort((a, b) => (artifactKey(a) < artifactKey(b) ? -1 : 1)),
    provenance: await provenanceOf(db, orgId, artifacts),
    now: row.created_at,
  });
}

interface Turn {
  environmentId: string;
  number: number;
  states: readonly State[];
  /** What held in the snapshot before; afterwards what holds in this one. */
  open: Map<string, OpenState>;
  flowIds: ReadonlyMap<string, string>;
}

async function takeTurn(
  db: OldDatabase,
  { environmentId, number, states, open, flowIds }: Turn,
): Promise<void> {
  const closed: ReturnType<typeof rowOf>[] = [];
  const close = (state: OpenState, ended: boolean) =>
    closed.push(rowOf(state, { environmentId, until: number, ended, flowIds }));
  const gone = new Set(open.keys());
  for (const state of states) {
    const key = artifactKey(state);
    gone.delete(key);
    const before = open.get(key);
    const text = JSON.stringify(state);
    if (before?.text === text) continue;
    if (before) close(before, false);
    const change = changeOf(before, state);
    open.set(key, { ...state, since: number, change, instancesBefore: before?.instances.length ?? 0, text });
  }
  for (const key of gone) {
    const state = open.get(key);
    if (state) close(state, true);
    open.delete(key);
  }
  await write(db, closed);
}

interface Extent {
  environmentId: string;
  until: number | null;
  ended: boolean;
  flowIds: ReadonlyMap<string, string>;
}

function rowOf(state: OpenState, { environmentId, until, ended, flowIds }: Extent) {
  const origins = state.flows.map(({ flowName, trailId, templateName, commitSha }) =>
    JSON.stringify([flowIds.get(flowName) ?? flowName, trailId, templateName, commitSha]),
  );
  return {
    environment_id: environmentId,
    name: state.name,
    fingerprint: state.fingerprint,
    since: state.since,
    until,
    change: state.change,
    instances_before: state.instancesBefore,
    instance_count: state.instances.length,
    ended: Number(ended),
    compliant: state.compliant === null ? null : Number(state.compliant),
    allowed: Number(state.allowed),
    origins: `[${origins.sort().join()}]`,
    instances: state.instances,
    decisions: state.policyDecisions,
    flows: state.flows,
  };
}

function write(db: OldDatabase, rows: readonly ReturnType<typeof rowOf>[]): Promise<void> {
  return insertRows(db, "running_intervals", rows, ["instances", "decisions", "flows"]);
}
