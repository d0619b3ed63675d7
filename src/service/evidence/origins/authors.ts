import { isSameName } from "../../kernel/github-names.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { together } from "../../store/together.ts";
import { type Origin, originsOf } from "./origins.ts";

/** What somebody overrides or approves. */
interface Judged {
  readonly flowId: string;
  readonly trailId?: string;
  readonly fingerprint?: string | null;
  readonly commits?: readonly string[];
  /** A commit that is given with it, as JSON in the names of the wire. */
  readonly gitCommitInfo?: string | null;
  /** The claims of the workflow that overrides or approves. */
  readonly by: Claims;
}

type Claims = Readonly<Record<string, unknown>>;

/** Who wrote some commits. */
export interface Authors {
  /** By the names that GitHub has for them. */
  readonly names: readonly string[];
  /** Whether the author of each commit is known from earlier records of other people. */
  readonly areAll: boolean;
}

/** Who wrote the commits that it is about: those of its artifact, of its trail and of itself. */
export async function authorsOf(
  db: Database,
  { flowId, trailId = "", fingerprint, commits: listedCommits = [], gitCommitInfo = null, by }: Judged,
): Promise<Authors> {
  const commits = listedCommits.map((commit) => commit.toLowerCase());
  const reported = db
    .selectFrom("artifacts")
    .select(["id", "details", "trail_id", "commit_sha"])
    .where("flow_id", "=", flowId);
  const [ofArtifact, ofCommits] = await together([
    fingerprint ? reported.where("fingerprint", "=", fingerprint).execute() : [],
    commits.length > 0 ? reported.where("commit_sha", "in", listed(commits)).execute() : [],
  ]);
  const artifacts = [...ofArtifact, ...ofCommits];
  const trails = await db
    .selectFrom("trails")
    .select(["id", "git_commit_info"])
    .where("id", "in", listed([trailId, ...artifacts.flatMap(({ trail_id }) => trail_id ?? [])]))
    .execute();
  const [ofReports, ofTrails] = await together([
    originsOf(
      db,
      "artifact",
      artifacts.map(({ id }) => id),
    ),
    originsOf(
      db,
      "trail",
      trails.map(({ id }) => id),
    ),
  ]);
  const recorded = [
    ...artifacts.map(({ id, details }) => {
      const { git_commit_info, spooled_by } = fieldsOf(details);
      const isOfOther = spooled_by === undefined && isOfAnother(by, ofReports.get(id));
      return { ...commitIn(git_commit_info), isOfOther };
    }),
    ...trails.map(({ id, git_commit_info }) => ({
      ...commitOf(git_commit_info),
      isOfOther: isOfAnother(by, ofTrails.get(id)),
    })),
  ];
  const own = commitOf(gitCommitInfo);
  const all = [...recorded, own];
  const judged = [
    ...commits,
    ...artifacts.map(({ commit_sha }) => commit_sha),
    ...all.map(({ sha1 }) => sha1),
  ];
  // An author is not known from a record that the same person made, since its workflow may name anyone.
  const known = new Set(
    recorded.flatMap(({ sha1, author, isOfOther }) => (author === "" || !isOfOther ? [] : sha1)),
  );
  const names = new Set(all.flatMap(({ author }) => (author === "" ? [] : author)));
  return { names: [...names], areAll: judged.every((sha1) => !sha1 || known.has(sha1)) };
}

/** Whether a record was made by another person than these claims name. API keys belong to no person. */
function isOfAnother(by: Claims, origin: Origin | undefined): boolean {
  if (origin === undefined) return true;
  const { actor, actor_id: id } = origin.claims;
  if (typeof actor !== "string" || typeof by["actor"] !== "string") return false;
  const isSame = isSameName(actor, by["actor"]) || (id !== undefined && id === by["actor_id"]);
  return !isSame && origin.differences["spooled_by"] === undefined;
}

/** A name that an account of GitHub can have: of a person, a person of an enterprise, or an app. */
const LOGIN = /^(?:[a-z\d][a-z\d-]{0,38}(?:_[a-z\d]+)?|[a-z\d][a-z\d-]*\[bot\])$/i;

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
  const author = text("author_username");
  return { sha1: text("sha1").toLowerCase(), author: LOGIN.test(author) ? author : "" };
}
