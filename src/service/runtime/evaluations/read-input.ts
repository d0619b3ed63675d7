import type { OperationShape } from "../../../api/operation.ts";
import { artifactRecord } from "../../../api/resources/artifacts.ts";
import { attestationRecord } from "../../../api/resources/attestation-record.ts";
import type { EvaluationContext } from "../../../api/resources/evaluation-record.ts";
import { operations } from "../../../api/resources/operations.ts";
import { trailRecord } from "../../../api/resources/trail-record.ts";
import { asObject, asObjects, type Untyped } from "../../../api/untyped.ts";
import { type Schema, toWire } from "../../../api/wire-names.ts";
import {
  artifactInput,
  attestationIds,
  snapshotInput,
  type TrailRecords,
  trailsInput,
} from "../../../evidence/rego/inputs.ts";
import { PolicyFault } from "../../../evidence/rego/verdict.ts";
import { artifactViews } from "../../evidence/artifacts/view.ts";
import {
  attestationsWithIds,
  recordView,
  type StoredAttestation,
} from "../../evidence/attestations/stored.ts";
import { trailEventsOf } from "../../evidence/trails/events.ts";
import { type TrailRow, trailsOf } from "../../evidence/trails/list.ts";
import { trailViews } from "../../evidence/trails/view.ts";
import type { Caller, Organization } from "../../kernel/caller.ts";
import { inSlices, letOthersIn } from "../../kernel/slices.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { CallOf } from "../../operation/handler.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { getSnapshot } from "../snapshots/handlers.ts";
import type { EvaluatedContext } from "./context.ts";
import { inputText } from "./input-text.ts";
import { environmentName, type ReadPlaces, reportsOfArtifact, trailIdsOf } from "./places.ts";

/** The document that a policy reads. */
export interface Input {
  /** JSON. */
  readonly text: string;
  /** The records in it, for the record of the evaluation. */
  readonly of: EvaluationContext;
  /** Time of the reading, in Unix seconds. */
  readonly at: number;
}

/** Maximum size of a document in characters. Open Policy Agent needs about ten times as much memory. */
const MAX_INPUT = 32 * 1024 * 1024;

/** Reads everything that a policy reads on one snapshot of the records. @throws NotFound, or PolicyFault (`limit`) */
export async function readInput(reading: Reading): Promise<Input> {
  const { store, now } = reading.context;
  const { finish, of, at } = await store.readTogether(async (db) => ({
    at: now(),
    ...(await read(db, reading)),
  }));
  const text = await inputText(await finish());
  if (text.length > MAX_INPUT)
    throw new PolicyFault("limit", [
      { message: `the input has ${text.length} characters; the limit is ${MAX_INPUT}` },
    ]);
  return { text, of, at };
}

interface Reading {
  readonly context: ServiceContext;
  readonly call: CallOf<OperationShape>;
  readonly evaluated: EvaluatedContext;
  /** From the request. Since then, the names in `evaluated` may have been given to others. */
  readonly places: ReadPlaces;
}

/** `finish` needs no records, so it runs while others read. */
async function read(
  db: Database,
  { context, call, evaluated, places }: Reading,
): Promise<{ finish: () => Untyped | Promise<Untyped>; of: EvaluationContext }> {
  const { org, caller } = call;
  const viewing = { org, caller, context };
  if (evaluated.kind === "snapshot") {
    const { snapshot } = evaluated;
    const environment = await environmentName(db, places.environmentId ?? "");
    const { index, ...record } = await snapshotRecord(db, { context, call, environment, snapshot });
    return {
      finish: () => snapshotInput({ index, ...record }),
      of: { environment, snapshot: Number(index) },
    };
  }
  if (evaluated.kind === "artifact") {
    const { fingerprint } = evaluated;
    const reports = await reportsOfArtifact(db, { org, scope: caller.scope }, fingerprint);
    const rows = await trailsOf(db, trailIdsOf(reports));
    const [view] = await artifactViews(db, reports.slice(0, 1), {
      org,
      links: context.links,
      scope: caller.scope,
    });
    const finish = await readTrails(db, rows, viewing);
    return {
      finish: async () => artifactInput(asObject(toWire(artifactRecord, view)), await finish()),
      of: { artifact: fingerprint },
    };
  }
  const found = new Map((await trailsOf(db, places.trailIds)).map((row) => [row.id, row]));
  const rows = places.trailIds.flatMap((id) => found.get(id) ?? []);
  const finish = await readTrails(db, rows, viewing);
  return {
    finish: async () => trailsInput(await finish()),
    of: { trails: rows.map(({ flow_name, name }) => ({ flow: flow_name, trail: name })) },
  };
}

interface Viewing {
  readonly org: Organization;
  readonly caller: Caller;
  readonly context: ServiceContext;
}

/** Trails at once, between which other requests are answered. */
const SLICE = 10;

interface ReadTrail {
  readonly trail: Untyped;
  readonly stored: readonly StoredAttestation[];
}

async function readTrails(
  db: Database,
  rows: readonly TrailRow[],
  { org, caller, context: { links } }: Viewing,
): Promise<() => Promise<TrailRecords[]>> {
  const view = { org: org.name, links };
  const read = await inSlices(
    rows,
    async (slice): Promise<ReadTrail[]> => {
      const views = await trailViews(db, slice, view);
      const events = await trailEventsOf(db, idsOf(slice), caller.scope);
      const trails = views.map((trail) =>
        asObject(toWire(trailRecord, { ...trail, events: events.get(String(trail.id)) ?? [] })),
      );
      const stored = await attestationsWithIds(db, trails.flatMap(attestationIds));
      const byTrail = Map.groupBy(stored, ({ row }) => row.trail_id);
      return trails.map((trail, index) => ({ trail, stored: byTrail.get(slice[index]?.id ?? "") ?? [] }));
    },
    SLICE,
  );
  const recordOf = (each: StoredAttestation) => asObject(toWire(attestationRecord, recordView(each, view)));
  return () =>
    inSlices(
      read,
      (slice) => slice.map(({ trail, stored }) => ({ trail, attestations: stored.map(recordOf) })),
      1,
    );
}

async function snapshotRecord(
  db: Database,
  {
    context,
    call,
    environment,
    snapshot,
  }: Pick<Reading, "context" | "call"> & { environment: string; snapshot: number | undefined },
): Promise<Untyped> {
  const store = {
    ...context.store,
    read: db,
    readTogether: <T>(queries: (on: Database) => Promise<T>) => queries(db),
  };
  const params = {
    envName: environment,
    snapshotExpression: snapshot === undefined ? "-1" : String(snapshot),
  };
  const reply = await getSnapshot({ ...call, params, body: undefined }, { ...context, store });
  const schema: Schema = operations.getSnapshot.responses[200];
  const record = asObject(toWire(schema, reply.body));
  const artifacts = [...asObjects(record["artifacts"])];
  for await (const slice of reply.streamed?.artifacts ?? []) {
    artifacts.push(...asObjects(asObject(toWire(schema, { artifacts: slice }))["artifacts"]));
    await letOthersIn();
  }
  return { ...record, artifacts };
}
