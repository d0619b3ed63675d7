import * as z from "zod/mini";
import { backoff, pause } from "../../net/retry.ts";
import { commitRecord, factsOfRecord } from "../event/commit-record.ts";
import { branchOfHead, pullRequestHead } from "../event/head-branch.ts";
import { peopleOf } from "./authorship.ts";
import { asCommitSha, unixSeconds } from "./commit-facts.ts";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub, type GitHub, type GitHubRequest, type Result } from "./github-api.ts";
import { GitHubError } from "./github-fault.ts";
import { number, parseAnswer, part, text } from "./lenient.ts";
import type { PullRequest, PullRequestCommit } from "./pull-request.ts";
import { isOf, linkedTo, pullRequestBase, thePullRequest } from "./pull-request-requests.ts";
import { GHOST, latestReviews } from "./reviews.ts";

/** Timeout for all requests here, in milliseconds: the pull requests are the evidence, so the step waits for them. */
const TIME_LIMIT_MS = 60_000;
/** Maximum wait in milliseconds for GitHub to link a merged commit to its pull request. */
export const LINK_TIME_LIMIT_MS = 10_000;
/** Attempts of each request. */
const ATTEMPTS = 3;
/** GitHub lists no more commits of a pull request. */
const MAX_COMMITS = 250;

export interface PullRequestQuestion extends GitHubAddress {
  readonly sha: string;
  /** The pull request, if the event names it: see `pullRequestOfEvent`. */
  readonly number?: number | undefined;
  /** Maximum wait in milliseconds for a link between the commit and a pull request. */
  readonly linkTimeLimitMs?: number;
  /** Wait in milliseconds before the next attempt, for a link or after a fault. Attempts are counted from 1. */
  readonly waitMs?: (attempt: number) => number;
}

const simple = z.object({
  html_url: text,
  number: z.number(),
  title: text,
  state: text,
  user: part({ login: text }),
  created_at: text,
  merged_at: text,
  merge_commit_sha: text,
  head: pullRequestHead,
  base: pullRequestBase,
  /** Number of commits; only in the response for a single pull request. */
  commits: number,
});

type Simple = z.infer<typeof simple>;

/**
 * The pull requests of a commit, with their commits and reviews. Empty if GitHub links none within the time limit.
 *
 * @throws the signal's reason when it aborts; other failures are returned as faults
 */
export function readPullRequests(question: PullRequestQuestion): Promise<Result<PullRequest[]>> {
  const retry = { attempts: ATTEMPTS, waitMs: question.waitMs ?? backoff };
  return askGitHub({ timeLimitMs: TIME_LIMIT_MS, retry, ...question }, async (github) => {
    const found =
      question.number === undefined
        ? await linked(github, question)
        : [await single(github, question.number)];
    const pullRequests: PullRequest[] = [];
    for (const each of found) pullRequests.push(await complete(github, each, question.repository));
    return pullRequests;
  });
}

async function single(github: GitHub, id: number): Promise<Simple> {
  return parseSimple(await github.get(thePullRequest(id)));
}

/** Repeats the request until a pull request is linked or the time is up. */
async function linked(github: GitHub, question: PullRequestQuestion): Promise<Simple[]> {
  const { sha, repository, linkTimeLimitMs = LINK_TIME_LIMIT_MS, waitMs = linkWaitMs } = question;
  for (let attempt = 1, waited = 0; ; attempt++) {
    const left = linkTimeLimitMs - waited;
    const all = (await items(github, linkedTo(sha))).map(parseSimple);
    const ours = all.filter((each) => isOf(each, repository));
    if (ours.length > 0 || left <= 0) return ours;
    const wait = Math.min(waitMs(attempt), left);
    await pause(wait, github.signal);
    waited += wait;
  }
}

/** The longest wait of the backoff, without jitter: no other clients compete. */
export function linkWaitMs(attempt: number): number {
  return backoff(attempt, 1);
}

function parseSimple(item: unknown): Simple {
  return parseAnswer(simple, item, "a pull request");
}

async function complete(github: GitHub, found: Simple, repository: string): Promise<PullRequest> {
  const { number: id, html_url: url, title, head, base } = found;
  const createdAt = unixSeconds(found.created_at);
  if (url === undefined || title === undefined || head?.ref === undefined || createdAt === undefined) {
    throw new GitHubError({ reason: "GitHub's response does not describe the pull request" });
  }
  const from = { branch: head.ref, repository: head.repo, login: head.user?.login };
  const [commits, reviews] = await Promise.all([
    commitsOf(github, id),
    items(github, thePullRequest(id, "/reviews")).then(latestReviews),
  ]);
  const mergedAt = unixSeconds(found.merged_at);
  const merged = mergedAt !== undefined;
  const mergeCommit = merged ? asCommitSha(found.merge_commit_sha) : undefined;
  return {
    url,
    number: id,
    title,
    state: merged ? "MERGED" : found.state === "open" ? "OPEN" : "CLOSED",
    author: found.user?.login ?? GHOST,
    createdAt,
    ...(mergedAt !== undefined && { mergedAt }),
    headBranch: branchOfHead(from, repository) ?? `${GHOST}:${head.ref}`,
    ...(base?.ref !== undefined && { baseBranch: base.ref }),
    ...(mergeCommit !== undefined && { mergeCommit }),
    commits,
    // A list of pull requests does not include the number of commits.
    complete:
      commits.length < MAX_COMMITS ||
      commits.length === (found.commits ?? (await single(github, id)).commits),
    reviews,
  };
}

async function commitsOf(github: GitHub, id: number): Promise<PullRequestCommit[]> {
  const records = await items(github, thePullRequest(id, "/commits"));
  return records.map((item) => {
    const what = `the commits of pull request #${id}`;
    const record = parseAnswer(commitRecord, item, what);
    const sha = parseAnswer(z.string(), asCommitSha(record.sha), what);
    return { sha, url: record.html_url, facts: factsOfRecord(record), people: peopleOf(record) };
  });
}

async function items(github: GitHub, request: GitHubRequest): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const page of github.pages(request)) {
    all.push(...parseAnswer(z.array(z.unknown()), page, "a list"));
  }
  return all;
}
