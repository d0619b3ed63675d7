import { REDACTED } from "../../../api/client/hiding.ts";
import { ORIGIN_HEADER } from "../../../api/resources/origin.ts";
import { isSameName, lowerAscii } from "../../kernel/github-names.ts";
import type { Proof } from "../../kernel/proof.ts";

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
  readonly proof: Proof;
  readonly url: string | null;
  /** The run that made a replayed record. */
  readonly spooledBy?: string;
}

/** By field: the record's value and the proven value, which is empty if the token proves none. */
export type Differences = Readonly<Record<string, { readonly said: string; readonly proven: string }>>;

/**
 * Fields that the token does not prove. Tokens have no author, so authors are not compared.
 *
 * @param linked repositories that the record is shown with
 */
export function differencesOf(
  { gitCommitInfo, repoInfo, run, commit, commitUrl, repoUrl }: StatedOrigin,
  { proof, url, spooledBy }: Proven,
  linked: readonly StatedRepository[] = [],
): Differences {
  const found = new Map<string, { said: string; proven: string }>();
  const note = (
    field: string,
    stated: unknown,
    proven: string | undefined | readonly string[],
    same: (stated: string, proven: string) => boolean,
  ) => {
    const allowed = [proven ?? []].flat();
    const [first = ""] = allowed;
    if (!isText(stated) || allowed.some((each) => same(stated, each))) return;
    const isUnproven = isOfAnotherCommit && (field === "commit" || field === "branch");
    const shown = field === "run" && first !== "" ? (url ?? first) : first;
    found.set(field, { said: stated, proven: isUnproven ? "" : shown });
  };
  const { sha, page, commitPage, repositories, repositoryId, runs, branch, isOfAnotherCommit } = proof;
  for (const each of [commitUrl, gitCommitInfo?.url]) note("commit", each, commitPage, isPageOf);
  for (const each of [commit, gitCommitInfo?.sha1]) note("commit", each, sha, isSameName);
  for (const each of [{ url: repoUrl }, ...linked, repoInfo]) {
    note("repository", each?.url, page, isPageOf);
    note("repository", each?.id, repositoryId, isSameName);
    // The name must match, too, because people read it.
    note("repository", each?.name, repositories, isSameName);
  }
  note("run", run, runs, isPageOf);
  const stated = gitCommitInfo?.branch === REDACTED ? undefined : gitCommitInfo?.branch;
  note("branch", stated, branch, (said, proven) => said === proven);
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

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Whether an address is a page or below it, after browsers resolve it. */
function isPageOf(stated: string, proven: string): boolean {
  const root = lowerAscii(proven);
  const page = lowerAscii(URL.parse(stated)?.href ?? "");
  return (
    page === root ||
    ["/", "?", "#", ...(root.includes("?") ? ["&"] : [])].some((sign) => page.startsWith(root + sign))
  );
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
