import { REDACTED } from "../../../api/redacted.ts";
import { isSameName, lowerAscii, PULL_REQUEST_EVENTS } from "../../kernel/github-names.ts";

/** The fields of a record that name a commit, a repository, a run or a branch. */
export interface Said {
  readonly gitCommitInfo?: {
    readonly sha1?: unknown;
    readonly url?: unknown;
    readonly branch?: unknown;
  } | null;
  readonly repoInfo?: SaidRepository | null;
  /** The page of the run. */
  readonly run?: string | null | undefined;
  /** An artifact names its commit and its repository twice. */
  readonly commit?: string | null;
  readonly commitUrl?: string | null;
  readonly repoUrl?: string | null;
}

interface SaidRepository {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly url?: unknown;
}

/** What was proven of a workflow. */
export interface Proven {
  readonly claims: Readonly<Record<string, unknown>>;
  /** The page of the run. */
  readonly url: string | null;
  /** Another run, which made the record, as the one says that was proven. */
  readonly spooledBy?: string;
}

/** By field, the value of the record and the proven one, which is empty where the token proves none. */
export type Differences = Readonly<Record<string, { readonly said: string; readonly proven: string }>>;

/**
 * Runs of these events are about another commit than that of their token, which is a trial merge or the default branch.
 */
const OF_ANOTHER_COMMIT: readonly unknown[] = [...PULL_REQUEST_EVENTS, "workflow_run"];

/**
 * The fields of a record that its token does not prove. A token names no author, so authors are not compared.
 *
 * @param linked the repositories that the record is shown with
 */
export function differencesOf(
  { gitCommitInfo, repoInfo, run, commit, commitUrl, repoUrl }: Said,
  { claims, url, spooledBy }: Proven,
  linked: readonly SaidRepository[] = [],
): Differences {
  const found = new Map<string, { said: string; proven: string }>();
  const isOfAnother = OF_ANOTHER_COMMIT.includes(claims["event_name"]);
  const note = (
    field: string,
    said: unknown,
    proven: unknown,
    same: (said: string, proven: string) => boolean,
  ) => {
    if (!isText(said) || (isText(proven) && same(said, proven))) return;
    const isUnproven = !isText(proven) || (isOfAnother && (field === "commit" || field === "branch"));
    found.set(field, { said, proven: isUnproven ? "" : proven });
  };
  const { sha, repository, repository_id: id } = claims;
  const page = url === null || !isText(repository) ? undefined : `${new URL(url).origin}/${repository}`;
  const commitPage = page === undefined || !isText(sha) ? undefined : `${page}/commit/${sha}`;
  for (const each of [commitUrl, gitCommitInfo?.url]) note("commit", each, commitPage, isPageOf);
  for (const each of [commit, gitCommitInfo?.sha1]) note("commit", each, sha, isSameName);
  for (const each of [{ url: repoUrl }, ...linked, repoInfo]) {
    note("repository", each?.url, page, isPageOf);
    note("repository", each?.id, id, isSameName);
    // The name is what people read: the id of one repository with the name of another is neither.
    note("repository", each?.name, repository, isSameName);
  }
  note("run", run, url, (said, proven) => isPageOf(said, proven.replace(/\/attempts\/\d+$/, "")));
  const branch = gitCommitInfo?.branch === REDACTED ? undefined : gitCommitInfo?.branch;
  note("branch", branch, branchIn(claims), (said, proven) => said === proven);
  // Whoever replays can say of himself alone what is proven, even where the record says the same of another.
  if (spooledBy !== undefined) found.set("spooled_by", { said: spooledBy, proven: url ?? "another one" });
  return Object.fromEntries(found);
}

/** Nothing is proven wrong in an `unproven` record, and some field is not proven right. */
export function stateOf(differences: Differences): "verified" | "unproven" | "different" {
  const all = Object.values(differences);
  if (all.length === 0) return "verified";
  return all.every(({ proven }) => proven === "") ? "unproven" : "different";
}

/**
 * The branch of a token; for a pull request its head. Undefined for a tag, and for `pull_request_target`, whose head may
 * be the branch of a fork.
 */
function branchIn({ event_name: event, head_ref: head, ref }: Proven["claims"]): string | undefined {
  if (event === "pull_request_target") return undefined;
  if (isText(head)) return head;
  return isText(ref) && ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Whether an address is a page or one below it, as a browser resolves it. */
function isPageOf(said: string, proven: string): boolean {
  const root = lowerAscii(proven);
  const page = lowerAscii(URL.parse(said)?.href ?? "");
  return page === root || ["/", "?", "#"].some((sign) => page.startsWith(root + sign));
}
