import { REDACTED } from "../../../api/client/hiding.ts";
import { ORIGIN_HEADER } from "../../../api/resources/origin.ts";
import { isSameName, lowerAscii, PULL_REQUEST_EVENTS } from "../../kernel/github-names.ts";

export interface StatedOrigin {
  readonly gitCommitInfo?: {
    readonly sha1?: unknown;
    readonly url?: unknown;
    readonly branch?: unknown;
  } | null;
  readonly repoInfo?: StatedRepository | null;
  readonly run?: string | null | undefined;
  /** Artifacts have the commit and the repository twice. */
  readonly commit?: string | null;
  readonly commitUrl?: string | null;
  readonly repoUrl?: string | null;
}

export interface StatedRepository {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly url?: unknown;
}

export interface Proven {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly url: string | null;
  /** The run that made a replayed record. */
  readonly spooledBy?: string;
}

/** By field: the record's value and the proven value, which is empty if the token proves none. */
export type Differences = Readonly<Record<string, { readonly said: string; readonly proven: string }>>;

/** Events whose token has another commit: a test merge or the default branch. */
const OF_ANOTHER_COMMIT: readonly unknown[] = [...PULL_REQUEST_EVENTS, "workflow_run"];

/**
 * Fields that the token does not prove. Tokens have no author, so authors are not compared.
 *
 * @param linked repositories that the record is shown with
 */
export function differencesOf(
  { gitCommitInfo, repoInfo, run, commit, commitUrl, repoUrl }: StatedOrigin,
  { claims, url, spooledBy }: Proven,
  linked: readonly StatedRepository[] = [],
): Differences {
  const found = new Map<string, { said: string; proven: string }>();
  const isOfAnother = OF_ANOTHER_COMMIT.includes(claims["event_name"]);
  const note = (
    field: string,
    stated: unknown,
    proven: unknown,
    same: (stated: string, proven: string) => boolean,
  ) => {
    if (!isText(stated) || (isText(proven) && same(stated, proven))) return;
    const isUnproven = !isText(proven) || (isOfAnother && (field === "commit" || field === "branch"));
    found.set(field, { said: stated, proven: isUnproven ? "" : proven });
  };
  const { sha, repository, repository_id: id } = claims;
  const page = url === null || !isText(repository) ? undefined : `${new URL(url).origin}/${repository}`;
  const commitPage = page === undefined || !isText(sha) ? undefined : `${page}/commit/${sha}`;
  for (const each of [commitUrl, gitCommitInfo?.url]) note("commit", each, commitPage, isPageOf);
  for (const each of [commit, gitCommitInfo?.sha1]) note("commit", each, sha, isSameName);
  for (const each of [{ url: repoUrl }, ...linked, repoInfo]) {
    note("repository", each?.url, page, isPageOf);
    note("repository", each?.id, id, isSameName);
    // The name must match, too, because people read it.
    note("repository", each?.name, repository, isSameName);
  }
  note("run", run, url, (stated, proven) => isPageOf(stated, proven.replace(/\/attempts\/\d+$/, "")));
  const branch = gitCommitInfo?.branch === REDACTED ? undefined : gitCommitInfo?.branch;
  note("branch", branch, branchIn(claims), (stated, proven) => stated === proven);
  // A replay proves only its own run, not the run in the record.
  if (spooledBy !== undefined) found.set("spooled_by", { said: spooledBy, proven: url ?? "another run" });
  return Object.fromEntries(found);
}

/** `unproven` means that no field differs, but a field is not proven. */
export function stateOf(differences: Differences): "verified" | "unproven" | "different" {
  const all = Object.values(differences);
  if (all.length === 0) return "verified";
  return all.every(({ proven }) => proven === "") ? "unproven" : "different";
}

/**
 * The branch of a token, or the head of a pull request. Undefined for a tag, and for `pull_request_target`, whose
 * head may be a branch of a fork.
 */
function branchIn({ event_name: event, head_ref: head, ref }: Proven["claims"]): string | undefined {
  if (event === "pull_request_target") return undefined;
  if (isText(head)) return head;
  return isText(ref) && ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Whether an address is a page or below it, after browsers resolve it. */
function isPageOf(stated: string, proven: string): boolean {
  const root = lowerAscii(proven);
  const page = lowerAscii(URL.parse(stated)?.href ?? "");
  return page === root || ["/", "?", "#"].some((sign) => page.startsWith(root + sign));
}

/** Header with the comparison for a new record. */
export function originHeader(
  { workflow }: { workflow?: Proven },
  stated: StatedOrigin,
): Record<string, string> {
  return workflow === undefined ? {} : headerOf(differencesOf(stated, workflow));
}

export function headerOf(differences: Differences): Record<string, string> {
  const fields = Object.keys(differences).join(", ");
  const state = stateOf(differences);
  return { [ORIGIN_HEADER]: fields === "" ? state : `${state}; ${fields}` };
}

/** The field of a replayed record with the run that spooled it. */
export function spooledByField({ spooledBy }: Pick<Proven, "spooledBy">): Record<string, string> {
  return spooledBy === undefined ? {} : { spooled_by: spooledBy };
}
