import type * as z from "zod/mini";
import { part, text } from "../api/lenient.ts";

/** The account that owns a repository, or opened a pull request. */
const account = part({ login: text });

/** The repository of a head. GitHub leaves it empty once a fork is deleted. */
export const headRepository = part({ full_name: text, owner: account });

/** The head of a pull request, as event payloads and GitHub's API describe it. */
export const pullRequestHead = part({ sha: text, ref: text, repo: headRepository, user: account });

export interface Head {
  readonly branch: string | undefined;
  readonly repository: z.infer<typeof headRepository>;
  /** The branch's account, which GitHub also has for a deleted fork. */
  readonly login?: string | undefined;
}

/**
 * A head's branch as GitHub writes it: `feature` in our repository, `linus:feature` in a fork, so that a fork's `main`
 * is not mistaken for ours. Undefined if the branch's owner is unknown.
 *
 * @param ours our repository, as `owner/name`
 */
export function branchOfHead(head: Head, ours: string | undefined): string | undefined {
  const { branch, repository, login } = head;
  if (branch === undefined) return undefined;
  if (ours !== undefined && repository?.full_name?.toLowerCase() === ours.toLowerCase()) return branch;
  const owner = repository?.owner?.login ?? repository?.full_name?.split("/")[0] ?? login;
  return owner === undefined ? undefined : `${owner}:${branch}`;
}
