import type { RequestContext } from "../../kernel/caller.ts";
import { isSameName } from "../../kernel/github-names.ts";
import { fieldsIn, fieldsOf } from "../../kernel/json-column.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import { together } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import { type Origin, originsOf } from "./origins.ts";

interface AuthorsQuery {
  readonly flowId: string;
  readonly trailId?: string;
  readonly fingerprint?: string | null;
  readonly commits?: readonly string[];
  /** A submitted commit as JSON in wire names. */
  readonly gitCommitInfo?: string | null;
  /** Claims of the workflow that overrides or approves. None for a person. */
  readonly by: Claims;
}

type Claims = Readonly<Record<string, unknown>>;

export interface Authors {
  /** GitHub logins. */
  readonly names: readonly string[];
  /** Email addresses in the commits, as reported. */
  readonly emails: readonly string[];
  /** Whether earlier records of other people have the author of each commit. */
  readonly areAll: boolean;
}

/** Claims of a workflow; none for a person, whose address is compared; undefined for a key. */
export function claimsOf({ workflow, person }: Pick<RequestContext, "workflow" | "person">) {
  return workflow?.claims ?? (person && {});
}

/** Authors of the commits of an artifact, its trail and the record itself. */
export async function authorsOf(
  db: Database,
  { flowId, trailId = "", fingerprint, commits: listedCommits = [], gitCommitInfo = null, by }: AuthorsQuery,
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
    originsOf(db, "artifact", idsOf(artifacts)),
    originsOf(db, "trail", idsOf(trails)),
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
  const allCommits = [
    ...commits,
    ...artifacts.map(({ commit_sha }) => commit_sha),
    ...all.map(({ sha1 }) => sha1),
  ];
  // A record of the same person does not prove an author, since its workflow may name anyone.
  const known = new Set(
    recorded.flatMap(({ sha1, author, isOfOther }) => (author === "" || !isOfOther ? [] : sha1)),
  );
  const names = new Set(all.flatMap(({ author }) => (author === "" ? [] : author)));
  const emails = new Set(all.flatMap(({ email }) => (email === "" ? [] : email)));
  return {
    names: [...names],
    emails: [...emails],
    areAll: allCommits.every((sha1) => !sha1 || known.has(sha1)),
  };
}

/** Whether two records are from the same person. API keys do not belong to a person. */
function isOfAnother(by: Claims, origin: Origin | undefined): boolean {
  if (origin === undefined) return true;
  const { actor, actor_id: id } = origin.claims;
  if (typeof actor !== "string" || typeof by["actor"] !== "string") return false;
  const isSame = isSameName(actor, by["actor"]) || (id !== undefined && id === by["actor_id"]);
  return !isSame && origin.differences["spooled_by"] === undefined;
}

/** A GitHub login of a person, an enterprise user or an app. */
const LOGIN = /^(?:[a-z\d][a-z\d-]{0,38}(?:_[a-z\d]+)?|[a-z\d][a-z\d-]*\[bot\])$/i;

interface Commit {
  /** Empty if unknown. */
  readonly sha1: string;
  readonly author: string;
  readonly email: string;
}

function commitOf(column: string | null): Commit {
  return commitIn(column === null ? undefined : fieldsOf(column));
}

function commitIn(info: unknown): Commit {
  const fields = fieldsIn(info);
  const text = (field: string) => (typeof fields[field] === "string" ? fields[field] : "");
  const author = text("author_username");
  const [, email = ""] = /<([^<>\s]+@[^<>\s]+)>/.exec(text("author")) ?? [];
  return { sha1: text("sha1").toLowerCase(), author: LOGIN.test(author) ? author : "", email };
}
