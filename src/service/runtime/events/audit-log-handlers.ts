import { findFlow } from "../../evidence/flows/records.ts";
import { repoIdsOf } from "../../evidence/repos/list.ts";
import { csvLine } from "../../kernel/csv-text.ts";
import type { Slice } from "../../kernel/paging.ts";
import type { Handler } from "../../operation/handler.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { physicalEnvironments, requireEnvironment } from "../environments/records.ts";
import { type ChangeType, describeChange } from "../running/changes.ts";
import { type EventFilter, type EventRecord, someEvents } from "./records.ts";

const COLUMNS = [
  "timestamp",
  "environment",
  "snapshot",
  "event",
  "artifact",
  "fingerprint",
  "description",
  "artifact_compliant",
  "snapshot_compliant",
  "flows",
  "trails",
  "commits",
] as const;

/** Events in memory at a time. */
const EVENTS_AT_A_TIME = 1_000;

const TYPES: ReadonlyMap<string, readonly ChangeType[]> = new Map([
  ["started", ["started-compliant", "started-non-compliant"]],
  ["exited", ["exited"]],
  ["changed", ["changed", "scaled", "updated-provenance"]],
]);

const WITHOUT_PROVENANCE = "no provenance";

export const getEnvironmentAuditLog: Handler<"getEnvironmentAuditLog"> = async (
  { org, params },
  { store, longWork },
) => {
  const types = typesOf(listed(params.eventTypes));
  const flows = listed(params.flowNames);
  const repos = listed(params.repoNames);
  const { filter, names } = await store.readTogether(async (db) => {
    const parts = await physicalEnvironments(db, await requireEnvironment(db, org, params.envName));
    const found: EventFilter = {
      environmentIds: idsOf(parts),
      from: params.fromTimestamp,
      until: params.toTimestamp,
      types,
      flowIds: flows && (await flowIdsOf(db, org.id, flows)),
      orWithoutProvenance: flows?.includes(WITHOUT_PROVENANCE),
      repoIds: repos && (await repoIdsOf(db, org.id, repos)),
    };
    return { filter: found, names: new Map(parts.map(({ id, name }) => [id, name])) };
  });
  const read = (part: EventFilter, slice: Slice) =>
    longWork.do(org.id, () =>
      store.readTogether((db) => someEvents(db, org.id, part, { ...slice, newestFirst: false })),
    );
  const lines = logLines(read, filter, names);
  return {
    status: 200,
    body: {
      name: `${params.envName}-auditlog.csv`,
      mediaType: "text/csv",
      content: ReadableStream.from(lines).pipeThrough(new TextEncoderStream()),
    },
  };
};

/** Includes former names, because the log keeps the name of the time. */
async function flowIdsOf(db: Database, orgId: string, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const flow = await findFlow(db, orgId, name);
    if (flow) ids.push(flow.id);
  }
  return ids;
}

/** Undefined for an empty list. */
function listed(text: string | undefined): string[] | undefined {
  const items = (text ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  return items.length === 0 ? undefined : items;
}

/** Unknown names match nothing. */
function typesOf(names: readonly string[] | undefined): ChangeType[] | undefined {
  return names?.flatMap((name) => TYPES.get(name) ?? []);
}

async function* logLines(
  read: (filter: EventFilter, slice: Slice) => Promise<EventRecord[]>,
  filter: EventFilter,
  names: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  let place: LogPlace = { from: {}, skip: 0 };
  for (;;) {
    const { from, skip } = place;
    const events = await read({ ...filter, ...from }, { limit: EVENTS_AT_A_TIME, offset: skip });
    yield events.map((event) => csvLine(cells(event, names.get(event.environmentId) ?? ""))).join("");
    if (events.length < EVENTS_AT_A_TIME) return;
    place = placeAfter(events, place, filter);
  }
}

/** The last snapshot read, and how many of its events. */
interface LogPlace {
  from: Pick<EventFilter, "firstNumber" | "from">;
  skip: number;
}

/** Continues from a key, because an offset gets slower with each portion. */
function placeAfter(
  events: readonly EventRecord[],
  { from, skip }: LogPlace,
  { environmentIds }: EventFilter,
): LogPlace {
  const last = events.at(-1);
  if (!last) return { from, skip };
  // One environment orders snapshots by number, several by time.
  const alone = environmentIds.length === 1;
  const begins = ({ snapshotNumber, reportedAt }: EventRecord) => (alone ? snapshotNumber : reportedAt);
  const read = events.length - events.findIndex((event) => begins(event) === begins(last));
  const known = alone ? from.firstNumber : from.from;
  return {
    from: alone ? { firstNumber: last.snapshotNumber } : { from: last.reportedAt },
    skip: known === begins(last) ? skip + read : read,
  };
}

function cells(event: EventRecord, environment: string): (string | number | boolean | null)[] {
  const flows = event.artifact?.flows ?? [];
  return [
    new Date(event.reportedAt * 1000).toISOString(),
    environment,
    event.snapshotNumber,
    event.type,
    event.name,
    event.fingerprint,
    describeChange(event.type, event.was, event.now),
    event.artifact?.compliant ?? null,
    event.snapshotCompliant,
    flows.map(({ flowName }) => flowName).join(" "),
    flows.map(({ trailName }) => trailName ?? "").join(" "),
    flows.map(({ commitSha }) => commitSha ?? "").join(" "),
  ];
}
