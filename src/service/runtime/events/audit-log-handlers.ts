import type { getEnvironmentAuditLog } from "../../../api/resources/environment-events.ts";
import { csvLine } from "../../environments/events/csv.ts";
import { findFlow } from "../../evidence/flows/records.ts";
import type { Slice } from "../../kernel/paging.ts";
import type { Handler } from "../../operation/handler.ts";
import { repoIdsOf } from "../../repos/names.ts";
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

export const handleGetEnvironmentAuditLog: Handler<typeof getEnvironmentAuditLog> = async (
  { org, params },
  { store, longWork },
) => {
  const types = typesOf(listed(params.eventTypes));
  const flows = listed(params.flowNames);
  const repos = listed(params.repoNames);
  const { filter, names } = await store.readTogether(async (db) => {
    const parts = await physicalEnvironments(db, await requireEnvironment(db, org, params.envName));
    const found: EventFilter = {
      environmentIds: parts.map(({ id }) => id),
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

/** The flows of these names, the former ones among them: the log has the name that a flow had at the time. */
async function flowIdsOf(db: Database, orgId: string, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const flow = await findFlow(db, orgId, name);
    if (flow) ids.push(flow.id);
  }
  return ids;
}

/** The items of a comma separated list; nothing when there are none. */
function listed(text: string | undefined): string[] | undefined {
  const items = (text ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  return items.length === 0 ? undefined : items;
}

/** An unknown name matches nothing. */
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

/** How far a log was read: it goes on with the last snapshot, past so many of its events. */
interface LogPlace {
  from: Pick<EventFilter, "firstNumber" | "from">;
  skip: number;
}

/** To skip all that was read would take longer with each portion. */
function placeAfter(
  events: readonly EventRecord[],
  { from, skip }: LogPlace,
  { environmentIds }: EventFilter,
): LogPlace {
  const last = events.at(-1);
  if (!last) return { from, skip };
  // The snapshots of one environment follow each other by number, those of several by time.
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
