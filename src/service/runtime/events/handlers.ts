import type { EnvironmentEvent } from "../../../api/resources/environment-events.ts";
import { repoIdsOf } from "../../evidence/repos/list.ts";
import { Invalid } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import { pageHeaders, sliceOf } from "../../kernel/paging.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { momentOf } from "../deployments/window.ts";
import { requireEnvironment } from "../environments/records.ts";
import { describeChange } from "../running/changes.ts";
import { entriesBetween, type History, historyOf, indexOf } from "../snapshots/histories.ts";
import { type Interval, parseBound, parseInterval } from "../snapshots/interval.ts";
import { type EventFilter, type EventRecord, listEvents } from "./records.ts";

export const listEnvironmentEvents: Handler<"listEnvironmentEvents"> = async (
  { org, params },
  { store, links, now },
) => {
  const { envName, page, perPage, reverse, repoName } = params;
  const interval = intervalOf(params, now());
  const from = laterOf(momentOf("from", params.from), params.startTs);
  const before = earlierOf(momentOf("to", params.to), params.endTs);
  const { total, events, names } = await store.readTogether(async (db) => {
    const environment = await requireEnvironment(db, org, envName);
    const history = await historyOf(db, environment);
    const bounds = await boundsOf(db, history, interval);
    const repoIds = repoName && (await repoIdsOf(db, org.id, repoName));
    const filter: EventFilter = {
      ...bounds,
      environmentIds: bounds ? idsOf(history.parts) : [],
      from: laterOf(bounds?.from, from),
      before,
      repoIds,
    };
    const slice = { ...sliceOf(params), newestFirst: !reverse };
    const found = await listEvents(db, org.id, filter, slice);
    return { ...found, names: new Map(history.parts.map(({ id, name }) => [id, name])) };
  });
  const query = {
    interval: params.interval || undefined,
    start: params.start || undefined,
    end: params.end || undefined,
    from: params.from || undefined,
    to: params.to || undefined,
    start_ts: params.startTs,
    end_ts: params.endTs,
    reverse,
    repo_name: repoName,
  };
  return {
    status: 200,
    headers: pageHeaders({ total, page, perPage }, (paging) =>
      links.api(["environments", org.name, envName, "events"], { ...query, ...paging }),
    ),
    body: events.map((event) =>
      eventView(event, { org: org.name, environment: names.get(event.environmentId) ?? envName, links }),
    ),
  };
};

type Params = Call<"listEnvironmentEvents">["params"];

/** Empty parameters count as absent. */
function intervalOf({ interval, start, end, startTs, endTs }: Params, now: number): Interval {
  if (interval) {
    const parsed = parseInterval(interval, now);
    if (!parsed) throw invalidInterval(interval);
    return parsed;
  }
  return {
    start: boundOf((startTs === undefined && start) || "1", now),
    end: boundOf((endTs === undefined && end) || "NOW", now),
  };
}

function boundOf(text: string, now: number) {
  const bound = parseBound(text, now);
  if (!bound) throw invalidInterval(text);
  return bound;
}

function invalidInterval(text: string): Invalid {
  return new Invalid("request.field_invalid", `Invalid interval value: ${text}`);
}

type Bounds = Pick<EventFilter, "firstNumber" | "lastNumber" | "from" | "until">;

/** Undefined when the interval contains no snapshot. */
async function boundsOf(
  db: Database,
  history: History,
  { start, end }: Interval,
): Promise<Bounds | undefined> {
  const bounds: Bounds = {};
  if (start.kind === "time") bounds.from = start.time;
  else bounds.firstNumber = Math.max(1, await indexOf(db, history, start));
  if (end.kind === "time") bounds.until = end.time;
  else bounds.lastNumber = Math.min(history.length, await indexOf(db, history, end));
  return history.logical ? inTime(db, history, bounds) : bounds;
}

/** Converts bounds to times, because members of a logical environment number their snapshots separately. */
async function inTime(
  db: Database,
  history: History,
  { firstNumber, lastNumber, from, until }: Bounds,
): Promise<Bounds | undefined> {
  const timeOf = async (index: number) =>
    (await entriesBetween(db, history, index, index))[0]?.snapshot.created_at;
  const first = firstNumber === undefined ? from : await timeOf(firstNumber);
  const last = lastNumber === undefined ? until : await timeOf(lastNumber);
  // No snapshot has this number, so nothing matches.
  return first === undefined || last === undefined ? undefined : { from: first, until: last };
}

function laterOf(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}

function earlierOf(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

function eventView(
  event: EventRecord,
  { org, environment, links }: { org: string; environment: string; links: Links },
): EnvironmentEvent {
  const { fingerprint, artifact, snapshotNumber } = event;
  const flows = artifact?.flows ?? [];
  const [first] = flows;
  const diff = flows.find(({ deploymentDiff }) => deploymentDiff?.diffUrl);
  return {
    environmentName: environment,
    snapshotIndex: snapshotNumber,
    artifactName: event.name,
    sha256: fingerprint,
    description: describeChange(event.type, event.was, event.now),
    reportedAt: event.reportedAt,
    // Clients expect a string here.
    pipeline: first?.flowName ?? "",
    deployments: [],
    flows: flows.map(({ flowName }) => ({ flowName, deployments: null })),
    artifactCompliance: artifact?.compliant ?? null,
    snapshotCompliance: event.snapshotCompliant,
    type: event.type,
    codeDiff: event.was === 0 ? (diff?.deploymentDiff?.diffUrl ?? null) : null,
    _links: {
      artifact: first
        ? {
            self: links.apiArtifact(org, first.flowName, fingerprint),
            html: links.artifact(org, first.flowName, fingerprint, first.artifactId),
          }
        : null,
      snapshot: {
        self: links.apiSnapshot(org, environment, snapshotNumber),
        html: links.snapshot(org, environment, snapshotNumber),
      },
    },
  };
}
