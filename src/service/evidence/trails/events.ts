import { fieldsOf } from "../../kernel/json-column.ts";
import { namesIn, type Scope } from "../../kernel/scope.ts";
import { describedRepo } from "../../repos/view.ts";
import { type RunningEvent, runningEventsOf } from "../../runtime/running/events.ts";
import { listed } from "../../store/dialect.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { together } from "../../store/together.ts";

type TrailEventType =
  | "trail_reported"
  | "trail_updated"
  | "trail_attestation_reported"
  | "artifact_creation_reported"
  | "artifact_attestation_reported"
  | "trail_attestation_for_artifact_reported"
  | "artifact_approval_reported";

/** Something that happened to a trail. That its artifacts run is not among them: the intervals tell it. */
export interface TrailEvent {
  trailId: string;
  type: TrailEventType;
  /** Unix seconds. */
  timestamp: number;
  /** As JSON in the names of the wire. */
  gitCommitInfo?: string | null;
  /** Our id of the repository it came from. */
  repoId?: string | null;
  /** The fields of its type, in the names of the wire. */
  details: Readonly<Record<string, unknown>>;
}

const insertEvent = prepared((db, given: Given<Omit<Tables["trail_events"], "sequence">>) =>
  db.insertInto("trail_events").values({
    trail_id: given("trail_id"),
    type: given("type"),
    git_commit_info: given("git_commit_info"),
    repo_id: given("repo_id"),
    details: given("details"),
    created_at: given("created_at"),
  }),
);

/** Adds to what happened to trails, in the order given. */
export async function addTrailEvents(db: Database, events: readonly TrailEvent[]): Promise<void> {
  await together(
    events.map((event) =>
      insertEvent(db, {
        trail_id: event.trailId,
        type: event.type,
        git_commit_info: event.gitCommitInfo ?? null,
        repo_id: event.repoId ?? null,
        details: JSON.stringify(event.details),
        created_at: event.timestamp,
      }),
    ),
  );
}

/** What happened to a trail up to now. Later events are not in it, however late it is read. */
interface TrailPast {
  trailId: string;
  /** The number of the last event. */
  last: number;
  /** When its artifacts started and stopped running, in the order in which they did. */
  running: readonly RunningEvent[];
}

/** @param scope whoever it is shown to sees what ran in the environments of it */
export async function pastOf(db: Database, trailId: string, scope: Scope): Promise<TrailPast> {
  const { last } = await db
    .selectFrom("trail_events")
    .select(({ fn }) => fn.max<number | null>("sequence").as("last"))
    .where("trail_id", "=", trailId)
    .executeTakeFirstOrThrow();
  const running = await runningEventsOf(db, [trailId], namesIn(scope, "environments"));
  return { trailId, last: last ?? 0, running: running.toSorted((a, b) => a.timestamp - b.timestamp) };
}

const EVENTS_AT_A_TIME = 500;

/** The events of a trail as the interface shows them, in the order in which they happened, a slice at a time. */
export async function* eventsOf(
  db: Database,
  { trailId, last, running }: TrailPast,
): AsyncGenerator<Record<string, unknown>[]> {
  const waiting = [...running];
  let after = { created_at: 0, sequence: 0 };
  for (;;) {
    const rows = await eventRows(db)
      .where("trail_events.trail_id", "=", trailId)
      .where("trail_events.sequence", "<=", last)
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple("trail_events.created_at", "trail_events.sequence"),
          ">",
          tuple(after.created_at, after.sequence),
        ),
      )
      .orderBy("trail_events.created_at")
      .orderBy("trail_events.sequence")
      .limit(EVENTS_AT_A_TIME)
      .execute();
    const isLast = rows.length < EVENTS_AT_A_TIME;
    const end = isLast ? Number.POSITIVE_INFINITY : (rows.at(-1)?.created_at ?? 0);
    // Of what happened at one moment, what was recorded comes first: what runs then may be in the next slice.
    const upTo = waiting.findIndex(({ timestamp }) => timestamp >= end);
    const ran = waiting.splice(0, upTo < 0 ? waiting.length : upTo);
    yield inOrder(rows, ran);
    const lastRow = rows.at(-1);
    if (isLast || !lastRow) return;
    after = lastRow;
  }
}

function inOrder(rows: readonly EventRow[], ran: readonly RunningEvent[]): Record<string, unknown>[] {
  const written = rows.map((row) => ({ timestamp: row.created_at, view: eventView(row) }));
  return [...written, ...ran].sort((a, b) => a.timestamp - b.timestamp).map(({ view }) => view);
}

/** The events of several trails by trail, as the interface shows them, in the order in which they happened. */
export async function trailEventsOf(
  db: Database,
  trailIds: readonly string[],
  scope: Scope,
): Promise<ReadonlyMap<string, readonly Record<string, unknown>[]>> {
  const rows = await eventRows(db)
    .where("trail_events.trail_id", "in", listed(trailIds))
    .orderBy("trail_events.trail_id")
    .orderBy("trail_events.sequence")
    .execute();
  const written = Map.groupBy(rows, ({ trail_id }) => trail_id);
  const ran = await runningEventsOf(db, trailIds, namesIn(scope, "environments"));
  const running = Map.groupBy(ran, ({ trailId }) => trailId);
  return new Map(trailIds.map((id) => [id, inOrder(written.get(id) ?? [], running.get(id) ?? [])]));
}

type EventRow = Awaited<ReturnType<ReturnType<typeof eventRows>["execute"]>>[number];

function eventRows(db: Database) {
  return db
    .selectFrom("trail_events")
    .innerJoin("trails", "trails.id", "trail_events.trail_id")
    .leftJoin("repos", "repos.id", "trail_events.repo_id")
    .select(["trail_events.trail_id", "trail_events.type", "trail_events.git_commit_info"])
    .select(["trail_events.details", "trail_events.created_at", "trail_events.sequence"])
    .select(["trails.org_id", "trails.flow_id"])
    .select(["repos.namespace_path", "repos.additional_info"])
    .select(["repos.id as inner_id", "repos.repo_id", "repos.name", "repos.url", "repos.provider"])
    .select(["repos.description", "repos.created_at as captured_at", "repos.latest_activity_at"]);
}

function eventView(row: EventRow): Record<string, unknown> {
  return {
    org_id: row.org_id,
    flow_id: row.flow_id,
    trail_id: row.trail_id,
    timestamp: row.created_at,
    type: row.type,
    git_commit_info: row.git_commit_info === null ? null : fieldsOf(row.git_commit_info),
    repo_info: repoInfoOf(row),
    ...fieldsOf(row.details),
  };
}

function repoInfoOf(row: EventRow): object | null {
  if (row.inner_id === null) return null;
  const { provider, namespacePath, additionalInfo } = describedRepo({ ...row, provider: row.provider ?? "" });
  return {
    inner_id: row.inner_id,
    org_id: row.org_id,
    repo_id: row.repo_id,
    name: row.name,
    url: row.url,
    provider,
    description: row.description,
    namespace_path: namespacePath,
    additional_info: additionalInfo,
    created_at: row.captured_at,
    last_modified_at: row.latest_activity_at,
  };
}
