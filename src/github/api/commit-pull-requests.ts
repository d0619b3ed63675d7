import * as z from "zod/mini";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub, type GitHub } from "./github-api.ts";
import { GitHubError } from "./github-fault.ts";
import { number, part, text } from "./lenient.ts";

/** For all commits together, in milliseconds. */
const TIME_LIMIT_MS = 10_000;
/** Commits asked about, each with a request of its own: a token has a thousand of those an hour. */
export const MAX_COMMITS = 50;
/** Requests under way at a time. */
const AT_A_TIME = 5;

/** A pull request as a list of changes shows it; `readPullRequests` tells what there is to know. */
export interface CommitPullRequest {
  readonly number: number;
  readonly title: string;
  readonly state: "open" | "merged";
  readonly url?: string;
}

export interface CommitPullRequestsQuestion extends GitHubAddress {
  readonly commits: readonly string[];
  /** Told what is missing from the answer, and why. */
  readonly warn: (text: string) => void;
}

/**
 * The pull requests of commits; an empty list if GitHub knows of none. Unknown commits are absent.
 *
 * @throws the signal's reason when it aborts; for nothing else
 */
export async function pullRequestsOfCommits(
  question: CommitPullRequestsQuestion,
): Promise<ReadonlyMap<string, readonly CommitPullRequest[]>> {
  const { commits, apiUrl, repository, warn } = question;
  const found = new Map<string, readonly CommitPullRequest[]>();
  const waiting = commits.slice(0, MAX_COMMITS).values();
  const told = await askGitHub({ timeLimitMs: TIME_LIMIT_MS, ...question }, async (github) => {
    const worker = async () => {
      for (const sha of waiting) found.set(sha, await pullRequestsOf(github, sha, repository));
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  });
  if ("fault" in told) {
    const what = found.size === 0 ? "no pull requests of the commits" : "not all pull requests";
    warn(told.fault.explain(apiUrl, what));
  }
  return found;
}

const simple = z.object({
  number,
  title: text,
  state: text,
  html_url: text,
  merged_at: text,
  base: part({ repo: part({ full_name: text }) }),
});

async function pullRequestsOf(github: GitHub, sha: string, repository: string): Promise<CommitPullRequest[]> {
  const data = await github.get({
    path: "/commits/{sha}/pulls",
    parameters: { sha },
    subject: "commit",
    permission: "pull-requests: read",
  });
  const records = z.safeParse(z.array(simple), data).data;
  if (records === undefined)
    throw new GitHubError({ reason: "GitHub's answer is not a list of pull requests" });
  return records.flatMap((record) => {
    const { number: id, title = "", html_url: url, base } = record;
    // A commit that is shared with a fork is linked to that one's pull requests too.
    const elsewhere = base?.repo?.full_name;
    if (elsewhere !== undefined && elsewhere.toLowerCase() !== repository.toLowerCase()) return [];
    const state = stateOf(record);
    if (id === undefined || state === undefined) return [];
    return [{ number: id, title, state, ...(url !== undefined && { url }) }];
  });
}

/** Undefined for one that was closed without a merge: it brought nothing. */
function stateOf({ state, merged_at }: z.infer<typeof simple>): CommitPullRequest["state"] | undefined {
  if (merged_at !== undefined) return "merged";
  return state === "open" ? "open" : undefined;
}
