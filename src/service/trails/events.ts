import { fieldsOf } from "../kernel/json-column.ts";
import { runningEventsOf } from "../running/events.ts";
import { insertRows, listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

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

/** Adds to what happened to trails, in the order given. */
export async function addTrailEvents(db: Database, events: readonly TrailEvent[]): Promise<void> {
  const rows = events.map((event) => ({
    trail_id: event.trailId,
    type: event.type,
    git_commit_info: event.gitCommitInfo ?? null,
    repo_id: event.repoId ?? null,
    details: event.details,
    created_at: event.timestamp,
  }));
  await insertRows(db, "trail_events", rows, ["details"]);
}

/** The events of several trails by trail, as the interface shows them, in the order in which they happened. */
export async function trailEventsOf(
  db: Database,
  trailIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Record<string, unknown>[]>> {
  const written = (await eventRows(db, trailIds)).map((row) => ({
    trailId: row.trail_id,
    timestamp: row.created_at,
    view: eventView(row),
  }));
  const events = [...written, ...(await runningEventsOf(db, trailIds))];
  events.sort((a, b) => a.timestamp - b.timestamp);
  const byTrail = new Map<string, Record<string, unknown>[]>();
  for (const { trailId, view } of events) {
    const known = byTrail.get(trailId);
    if (known) known.push(view);
    else byTrail.set(trailId, [view]);
  }
  return byTrail;
}

type EventRow = Awaited<ReturnType<typeof eventRows>>[number];

function eventRows(db: Database, trailIds: readonly string[]) {
  return db
    .selectFrom("trail_events")
    .innerJoin("trails", "trails.id", "trail_events.trail_id")
    .leftJoin("repos", "repos.id", "trail_events.repo_id")
    .select(["trail_events.trail_id", "trail_events.type", "trail_events.git_commit_info"])
    .select(["trail_events.details", "trail_events.created_at", "trails.org_id", "trails.flow_id"])
    .select(["repos.id as inner_id", "repos.repo_id", "repos.name", "repos.url", "repos.provider"])
    .select(["repos.description", "repos.created_at as captured_at", "repos.latest_activity_at"])
    .where("trail_events.trail_id", "in", listed(trailIds))
    .orderBy("trail_events.trail_id")
    .orderBy("trail_events.sequence")
    .execute();
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
  return {
    inner_id: row.inner_id,
    org_id: row.org_id,
    repo_id: row.repo_id,
    name: row.name,
    url: row.url,
    provider: row.provider || null,
    description: row.description,
    created_at: row.captured_at,
    last_modified_at: row.latest_activity_at,
  };
}
