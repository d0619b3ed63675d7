import * as z from "zod/mini";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub, type GitHub } from "./github-api.ts";
import { number, parseAnswer, text } from "./lenient.ts";
import { isOf, linkedTo, pullRequestBase } from "./pull-request-requests.ts";

/** Timeout for all commits together, in milliseconds. */
const TIME_LIMIT_MS = 10_000;
/** Commits looked up, each with its own request: a token has a thousand requests an hour. */
export const MAX_COMMITS = 50;
/** Concurrent requests. */
const AT_A_TIME = 5;

/** A pull request in a list of changes. `readPullRequests` returns all details. */
export interface CommitPullRequest {
  readonly number: number;
  readonly title: string;
  readonly state: "open" | "merged";
  readonly url?: string;
}

export interface CommitPullRequestsQuestion extends GitHubAddress {
  readonly commits: readonly string[];
  /** Called with what is missing from the result, and why. */
  readonly warn: (text: string) => void;
}

/**
 * The pull requests of commits; an empty list if GitHub has none. Unknown commits are absent.
 *
 * @throws the signal's reason when it aborts; for nothing else
 */
export async function pullRequestsOfCommits(question: CommitPullRequestsQuestion) {
  const { commits, apiUrl, repository, warn } = question;
  const found = new Map<string, readonly CommitPullRequest[]>();
  const waiting = commits.slice(0, MAX_COMMITS).values();
  const outcome = await askGitHub({ timeLimitMs: TIME_LIMIT_MS, ...question }, async (github) => {
    const worker = async () => {
      for (const sha of waiting) found.set(sha, await pullRequestsOf(github, sha, repository));
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  });
  if ("fault" in outcome) {
    const what =
      found.size === 0 ? "returned no pull requests of the commits" : "did not return all pull requests";
    warn(outcome.fault.explain(apiUrl, what));
  }
  return found;
}

const simple = z.object({
  number,
  title: text,
  state: text,
  html_url: text,
  merged_at: text,
  base: pullRequestBase,
});

async function pullRequestsOf(github: GitHub, sha: string, repository: string): Promise<CommitPullRequest[]> {
  const answer = await github.get(linkedTo(sha));
  const records = parseAnswer(z.array(simple), answer, "a list of pull requests");
  return records.flatMap((record) => {
    const { number: id, title = "", html_url: url } = record;
    // A pull request closed without a merge did not add the commit.
    const isOpen = record.state === "open";
    const isMerged = record.merged_at !== undefined;
    if (id === undefined || !(isOpen || isMerged) || !isOf(record, repository)) return [];
    return [{ number: id, title, state: isMerged ? "merged" : "open", ...(url !== undefined && { url }) }];
  });
}
