import type { Selectable } from "kysely";
import { type ShownEvent, shownEvents, type TrailEventRow } from "../../events/projections/timeline.ts";
import { namesIn, type Scope } from "../../kernel/scope.ts";
import { type RunningEvent, runningEventsOf } from "../../runtime/running/events.ts";
import { listed } from "../../store/dialect.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { describedRepo } from "../repos/list.ts";

/** Bounds of the history, so that events recorded during the reading are excluded. */
interface TrailPast {
  trailId: string;
  last: number;
  running: readonly RunningEvent[];
}

const selectLast = prepared((db, given: Given<{ trailId: string }>) =>
  db
    .selectFrom("events")
    .select(({ fn }) => fn.max<number | null>("sequence").as("last"))
    .where("trail_id", "=", given("trailId")),
);

/** @param scope limits the environments whose events are shown */
export async function pastOf(db: Database, trailId: string, scope: Scope): Promise<TrailPast> {
  const [newest] = await selectLast(db, { trailId });
  const running = await runningEventsOf(db, [trailId], namesIn(scope, "environments"));
  return { trailId, last: newest?.last ?? 0, running: running.toSorted((a, b) => a.timestamp - b.timestamp) };
}

const EVENTS_AT_A_TIME = 500;

interface Next {
  trailId: string;
  last: number;
  at: number;
  sequence: number;
}

const selectNext = prepared((db, given: Given<Next>) =>
  eventRows(db)
    .where("trail_id", "=", given("trailId"))
    .where("sequence", "<=", given("last"))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("at", "sequence"), ">", tuple(given("at"), given("sequence"))),
    )
    .orderBy("at")
    .orderBy("sequence")
    .limit(EVENTS_AT_A_TIME),
);

/** Events in order, read in slices. */
export async function* eventsOf(
  db: Database,
  { trailId, last, running }: TrailPast,
): AsyncGenerator<Record<string, unknown>[]> {
  const waiting = [...running];
  let after = { at: 0, sequence: 0 };
  for (;;) {
    const rows = await selectNext(db, { trailId, last, ...after });
    const isLast = rows.length < EVENTS_AT_A_TIME;
    const end = isLast ? Number.POSITIVE_INFINITY : (rows.at(-1)?.at ?? 0);
    // Recorded events precede running events of the same second, and may be in the next slice.
    const upTo = waiting.findIndex(({ timestamp }) => timestamp >= end);
    const ran = waiting.splice(0, upTo < 0 ? waiting.length : upTo);
    yield inOrder(await viewsOf(db, rows), ran);
    const lastRow = rows.at(-1);
    if (isLast || !lastRow) return;
    after = { at: lastRow.at, sequence: lastRow.sequence };
  }
}

/** Events in order, by trail. */
export async function trailEventsOf(
  db: Database,
  trailIds: readonly string[],
  scope: Scope,
): Promise<ReadonlyMap<string, readonly Fields[]>> {
  const rows = await eventRows(db)
    .where("trail_id", "in", listed(trailIds))
    .orderBy("trail_id")
    .orderBy("at")
    .orderBy("sequence")
    .execute();
  const written = Map.groupBy(await viewsOf(db, rows), ({ trailId }) => trailId);
  const ran = await runningEventsOf(db, trailIds, namesIn(scope, "environments"));
  const running = Map.groupBy(ran, ({ trailId }) => trailId);
  return new Map(trailIds.map((id) => [id, inOrder(written.get(id) ?? [], running.get(id) ?? [])]));
}

type Fields = Readonly<Record<string, unknown>>;

function inOrder(
  written: readonly Pick<ShownEvent, "timestamp" | "view">[],
  ran: readonly RunningEvent[],
): Fields[] {
  return [...written, ...ran].sort((a, b) => a.timestamp - b.timestamp).map(({ view }) => view);
}

function eventRows(db: Database) {
  return db
    .selectFrom("events")
    .select(["sequence", "org_id", "trail_id", "type", "at", "by", "subject_id", "subject_name", "data"]);
}

async function viewsOf(db: Database, rows: readonly TrailEventRow[]): Promise<ShownEvent[]> {
  const events = rows.flatMap(shownEvents);
  const repos = await repoInfos(db, [...new Set(events.flatMap(({ repoId }) => repoId ?? []))]);
  return events.map(({ view, ...event }) => ({
    ...event,
    view: { ...view, repo_info: repos.get(event.repoId ?? "") ?? null },
  }));
}

async function repoInfos(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, object>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("repos").selectAll().where("id", "in", listed(ids)).execute();
  return new Map(rows.map((repo) => [repo.id, repoInfo(repo)]));
}

function repoInfo(repo: Selectable<Tables["repos"]>): object {
  const { provider, namespacePath, additionalInfo } = describedRepo(repo);
  return {
    inner_id: repo.id,
    org_id: repo.org_id,
    repo_id: repo.repo_id,
    name: repo.name,
    url: repo.url,
    provider,
    description: repo.description,
    namespace_path: namespacePath,
    additional_info: additionalInfo,
    created_at: repo.created_at,
    last_modified_at: repo.latest_activity_at,
  };
}
