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

/** Who wrote some commits. */
export interface Authors {
  /** By the names that GitHub has for them. */
  readonly names: readonly string[];
  /** Whether the author of each commit is known from records of before. */
  readonly areAll: boolean;
}

/** Who wrote the commits that it is about: those of its artifact, of its trail and of itself. */
export async function authorsOf(
  db: Database,
  { flowId, trailId = "", fingerprint, commits: listedCommits = [], gitCommitInfo = null }: Judged,
): Promise<Authors> {
  const commits = listedCommits.map((commit) => commit.toLowerCase());
  const reported = db
    .selectFrom("artifacts")
    .select(["details", "trail_id", "commit_sha"])
    .where("flow_id", "=", flowId);
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
  const recorded = [
    ...artifacts.map(({ details }) => commitIn(fieldsOf(details)["git_commit_info"])),
    ...trails.map(({ git_commit_info }) => commitOf(git_commit_info)),
  ];
  const own = commitOf(gitCommitInfo);
  const all = [...recorded, own];
  const judged = [
    ...commits,
    ...artifacts.map(({ commit_sha }) => commit_sha),
    ...all.map(({ sha1 }) => sha1),
  ];
  // What comes with it does not say who else wrote its commit.
  const known = new Set(recorded.flatMap(({ sha1, author }) => (author === "" ? [] : sha1)));
  const names = new Set(all.flatMap(({ author }) => (author === "" ? [] : author)));
  return { names: [...names], areAll: judged.every((sha1) => !sha1 || known.has(sha1)) };
}

interface Commit {
  /** Empty where it is not known, as the author. */
  readonly sha1: string;
  readonly author: string;
}

function commitOf(column: string | null): Commit {
  return commitIn(column === null ? undefined : fieldsOf(column));
}

function commitIn(info: unknown): Commit {
  const fields: Readonly<Record<string, unknown>> =
    typeof info === "object" && info !== null ? { ...info } : {};
  const text = (field: string) => (typeof fields[field] === "string" ? fields[field] : "");
  return { sha1: text("sha1").toLowerCase(), author: text("author_username") };
}
