import type * as z from "zod/mini";
import type { GitHubRequest } from "./github-api.ts";
import { part, text } from "./lenient.ts";

const permission = "pull-requests: read";

/** @param below such as `/commits` */
export function thePullRequest(id: number, below = ""): GitHubRequest {
  return { path: `/pulls/{id}${below}`, parameters: { id }, subject: `pull request #${id}`, permission };
}

/** Request for the pull requests of a commit. */
export function linkedTo(sha: string): GitHubRequest {
  return { path: "/commits/{sha}/pulls", parameters: { sha }, subject: "commit", permission };
}

/** Base of a pull request. */
export const pullRequestBase = part({ ref: text, repo: part({ full_name: text }) });

/** Whether a pull request is of the repository. GitHub links a commit to pull requests of forks too. */
export function isOf({ base }: { base?: z.infer<typeof pullRequestBase> }, repository: string): boolean {
  const name = base?.repo?.full_name;
  return name === undefined || name.toLowerCase() === repository.toLowerCase();
}
