import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { asCommitSha, type CommitFacts } from "../github/api/commit-facts.ts";
import { type Clone, git } from "../github/event/git.ts";
import type { CiContext } from "../github/step/ci-context.ts";
import { commitPages, repositoryOf } from "./remote.ts";
import type { CiSystem } from "./variables.ts";

interface Place extends Omit<Clone, "workspace"> {
  /** Current folder, in a clone or not. */
  readonly folder: string;
}

/**
 * Adds what no variable has from the clone: the repository, and the commit and the branch where the system allows it.
 * Replaces a trial merge by its head. A clone without the commit adds nothing, because it may be of another repository.
 */
export async function withClone(
  ci: CiContext,
  fromClone: CiSystem["fromClone"] = [],
  { folder, ...place }: Place,
): Promise<CiContext> {
  const named = ci.workspace !== undefined && isClone(ci.workspace) ? [ci.workspace] : [];
  const workspaces = new Set([...cloneAround(folder), ...named]);
  for (const workspace of workspaces) {
    const clone = { workspace, ...place };
    const head = fromClone.length === 0 ? undefined : await headOf(clone);
    const sha = ci.commit ?? (fromClone.includes("commit") ? head : undefined);
    const facts = sha === undefined ? undefined : await factsOf({ ...clone, sha });
    if (facts !== undefined) {
      const repository = ci.repository ?? repositoryOf(await remoteOf(clone));
      const headOfMerge = headOfTrialMerge(facts, ci.pullRequest !== undefined);
      const isCheckedOut = fromClone.includes("branch") && head === sha;
      return {
        ...ci,
        workspace,
        repository,
        commitPages: ci.commitPages ?? commitPages(repository),
        commit: headOfMerge ?? sha,
        facts: headOfMerge === undefined ? ci.facts : undefined,
        branch: ci.branch ?? (isCheckedOut ? await branchOf(clone) : undefined),
      };
    }
  }
  return { ...ci, workspace: [...workspaces][0] };
}

async function factsOf(place: Clone & { readonly sha: string }): Promise<CommitFacts | undefined> {
  const { readLocalCommit } = await import("../github/event/local-git.ts");
  return readLocalCommit(place);
}

/** The clone that contains a folder, or none. */
function cloneAround(folder: string): readonly string[] {
  const here = resolve(folder);
  if (isClone(here)) return [here];
  return dirname(here) === here ? [] : cloneAround(dirname(here));
}

function isClone(folder: string): boolean {
  return existsSync(join(folder, ".git"));
}

async function output(clone: Clone, command: readonly string[]): Promise<string | undefined> {
  return (await git(clone, command))?.toString().trim() || undefined;
}

async function headOf(clone: Clone): Promise<string | undefined> {
  return asCommitSha(await output(clone, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]));
}

/** The branch that is checked out; undefined for a commit, and for the ref of a pull request. */
async function branchOf(clone: Clone): Promise<string | undefined> {
  const branch = await output(clone, ["symbolic-ref", "--short", "--quiet", "HEAD"]);
  return /^(pull|pull-requests|merge-requests)\/\d+/.test(branch ?? "") ? undefined : branch;
}

/** The remote `origin`, or else the first one. */
async function remoteOf(clone: Clone): Promise<string | undefined> {
  const names = (await output(clone, ["remote"]))?.split("\n") ?? [];
  const name = names.includes("origin") ? "origin" : names[0];
  return name && (await output(clone, ["remote", "get-url", name]));
}

/**
 * Head of a merge that only the job sees; undefined for any other commit. Code hosts describe their trial merges as
 * `Merge SHA into SHA`. Jenkins checks out the head and merges the target into it, with the message of Git.
 *
 * @param isPullRequest whether the job builds a pull request, because a person may write the message of Git
 */
export function headOfTrialMerge(
  { message = "", parents = [] }: CommitFacts,
  isPullRequest: boolean,
): string | undefined {
  const [first, second, ...more] = parents;
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  const [, head] = /^Merge ([0-9a-f]{40}) into [0-9a-f]{40}\s*$/.exec(message) ?? [];
  if (head !== undefined) return parents.find((parent) => parent === head);
  const [, target] = /^Merge commit '([0-9a-f]{40})' into HEAD\s*$/.exec(message) ?? [];
  return isPullRequest && target === second ? first : undefined;
}
