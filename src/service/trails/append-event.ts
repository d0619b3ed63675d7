import { addTrailEvents } from "../evidence/trails/events.ts";
import { templateId } from "../flows/template-id.ts";
import { fieldsOf } from "../kernel/json-column.ts";
import type { RequestContext } from "../kernel/request-context.ts";
import type { Database, Tables } from "../store/tables.ts";

type TrailRow = Tables["trails"];

/** The columns whose change is an event, by the names of the wire. */
const WATCHED = [
  "description",
  "git_commit_info",
  "origin_url",
  "external_urls",
  "user_data",
  "template",
] as const;

/** Adds to the events of a trail that it began, or which of its fields changed. */
export async function appendTrailEvent(
  db: Database,
  { before, after, repoId }: { before: TrailRow | undefined; after: TrailRow; repoId: string | null },
  { accountName, now }: RequestContext,
): Promise<void> {
  const changes = before ? WATCHED.filter((name) => before[name] !== after[name]) : [];
  if (before && changes.length === 0) return;
  const repos = await db
    .selectFrom("trail_repos")
    .select("repo_id")
    .where("trail_id", "=", after.id)
    .orderBy("repo_id")
    .execute();
  await addTrailEvents(db, [
    {
      trailId: after.id,
      type: before ? "trail_updated" : "trail_reported",
      timestamp: now,
      gitCommitInfo: after.git_commit_info,
      repoId,
      details: {
        setting_user_id: accountName,
        ...(before ? { changes } : {}),
        trail_data_json: trailData(
          after,
          repos.map(({ repo_id }) => repo_id),
        ),
      },
    },
  ]);
}

function trailData(trail: TrailRow, repoIds: readonly string[]): object {
  return {
    org_id: trail.org_id,
    flow_id: trail.flow_id,
    name: trail.name,
    creating_user_id: trail.created_by,
    description: trail.description,
    git_commit_info: trail.git_commit_info === null ? null : fieldsOf(trail.git_commit_info),
    template_id: templateId(trail),
    origin_url: trail.origin_url,
    user_data: trail.user_data,
    repo_ids: repoIds,
  };
}
