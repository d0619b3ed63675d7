import { fieldsOf } from "../kernel/json-column.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";
import { together } from "../store/together.ts";

/** What somebody overrides or approves. */
interface Judged {
  readonly flowId: string;
  readonly trailId?: string;
  readonly fingerprint?: string | null;
  readonly commits?: readonly string[];
  /** A commit that is given with it, as JSON in the names of the wire. */
  readonly gitCommitInfo?: string | null;
}

/**
 * Who wrote the commits that it is about, by the names that GitHub has for them: those of its artifact, of its trail
 * and of itself, as far as they are known.
 */
export async function authorsOf(
  db: Database,
  { flowId, trailId = "", fingerprint, commits = [], gitCommitInfo = null }: Judged,
): Promise<readonly string[]> {
  const reported = db.selectFrom("artifacts").select(["details", "trail_id"]).where("flow_id", "=", flowId);
  const [ofArtifact, ofCommits] = await together([
    fingerprint ? reported.where("fingerprint", "=", fingerprint).execute() : [],
    commits.length > 0 ? reported.where("commit_sha", "in", listed(commits)).execute() : [],
  ]);
  const artifacts = [...ofArtifact, ...ofCommits];
  const trails = await db
    .selectFrom("trails")
    .select("git_commit_info")
    .where("id", "in", listed([trailId, ...artifacts.flatMap(({ trail_id }) => trail_id ?? [])]))
    .execute();
  const known = [
    ...artifacts.map(({ details }) => fieldsOf(details)["git_commit_info"]),
    ...[gitCommitInfo, ...trails.map(({ git_commit_info }) => git_commit_info)].map((info) =>
      info === null ? undefined : fieldsOf(info),
    ),
  ];
  return [...new Set(known.flatMap(authorIn))];
}

function authorIn(info: unknown): string[] {
  if (typeof info !== "object" || info === null || !("author_username" in info)) return [];
  const { author_username: name } = info;
  return typeof name === "string" && name !== "" ? [name] : [];
}
