import type * as z from "zod/mini";
import type { GitHubRequest } from "./github-api.ts";
import { part, text } from "./lenient.ts";

const permission = "pull-requests: read";

/** @param below such as `/commits` */
export function thePullRequest(id: number, below = ""): GitHubRequest {
  return { path: `/pulls/{id}${below}`, parameters: { id }, subject: `pull request #${id}`, permission };
}

/** The list of the pull requests that a commit is linked to. */
export function linkedTo(sha: string): GitHubRequest {
  return { path: "/commits/{sha}/pulls", parameters: { sha }, subject: "commit", permission };
}

/** What a pull request is merged into. */
export const pullRequestBase = part({ ref: text, repo: part({ full_name: text }) });

/** A commit that is shared with a fork is linked to that one's pull requests too. */
export function isOf({ base }: { base?: z.infer<typeof pullRequestBase> }, repository: string): boolean {
  const name = base?.repo?.full_name;
  return name === undefined || name.toLowerCase() === repository.toLowerCase();
}
