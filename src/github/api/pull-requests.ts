import * as z from "zod/mini";
import { backoff, pause } from "../../net/retry.ts";
import { commitRecord, factsOfRecord } from "../event/commit-record.ts";
import { branchOfHead, pullRequestHead } from "../event/head-branch.ts";
import { peopleOf } from "./authorship.ts";
import { asCommitSha, unixSeconds } from "./commit-facts.ts";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub, type GitHub, type GitHubRequest, type Result } from "./github-api.ts";
import { GitHubError } from "./github-fault.ts";
import { number, part, text } from "./lenient.ts";
import type { PullRequest, PullRequestCommit, Review } from "./pull-request.ts";
import { GHOST, latestReviews } from "./reviews.ts";

/** For all that is asked of GitHub here, in milliseconds: the pull requests are the evidence, so they are waited for. */
const TIME_LIMIT_MS = 60_000;
/** GitHub links a merged commit to its pull request only after a while. It is waited for this long, in milliseconds. */
export const LINK_TIME_LIMIT_MS = 10_000;
/** How often each thing is asked for when GitHub has trouble. */
const ATTEMPTS = 3;
/** The most commits of a pull request that GitHub lists. */
const MAX_COMMITS = 250;

export interface PullRequestQuestion extends GitHubAddress {
  readonly sha: string;
  /** The pull request, where the event names it: see `pullRequestOfEvent`. */
  readonly number?: number | undefined;
  /** How long GitHub may take to link the commit to a pull request, in milliseconds. */
  readonly linkTimeLimitMs?: number;
  /** How long to wait for a link or out of a fault after an attempt, which is counted from 1, in milliseconds. */
  readonly waitMs?: (attempt: number) => number;
}

const simple = z.object({
  html_url: text,
  number,
  title: text,
  state: text,
  user: part({ login: text }),
  created_at: text,
  merged_at: text,
  merge_commit_sha: text,
  head: pullRequestHead,
  base: part({ ref: text, repo: part({ full_name: text }) }),
  /** How many there are; only when the pull request is asked for by its number. */
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

const PERMISSION = "pull-requests: read";

async function single(github: GitHub, wanted: number): Promise<Simple> {
  const request = {
    path: "/pulls/{number}",
    parameters: { number: wanted },
    permission: PERMISSION,
  } as const;
  return parseSimple(await github.get({ ...request, subject: `pull request #${wanted}` }));
}

/** Asks until a pull request is linked or the time for that is up. */
async function linked(github: GitHub, question: PullRequestQuestion): Promise<Simple[]> {
  const { sha, repository, linkTimeLimitMs = LINK_TIME_LIMIT_MS, waitMs = linkWaitMs } = question;
  const request = { path: "/commits/{sha}/pulls", parameters: { sha }, permission: PERMISSION } as const;
  for (let attempt = 1, waited = 0; ; attempt++) {
    const left = linkTimeLimitMs - waited;
    const all = (await items(github, { ...request, subject: "commit" })).map(parseSimple);
    const ours = all.filter((each) => isOf(each, repository));
    if (ours.length > 0 || left <= 0) return ours;
    const wait = Math.min(waitMs(attempt), left);
    await pause(wait, github.signal);
    waited += wait;
  }
}

/** The longest wait that the backoff allows: there is no crowd to keep apart. */
export function linkWaitMs(attempt: number): number {
  return backoff(attempt, 1);
}

/** A commit that is shared with a fork is linked to that one's pull requests too. */
function isOf({ base }: Simple, repository: string): boolean {
  const name = base?.repo?.full_name;
  return name === undefined || name.toLowerCase() === repository.toLowerCase();
}

function parseSimple(item: unknown): Simple {
  const found = z.safeParse(simple, item).data;
  if (found?.number === undefined) throw new GitHubError({ reason: "GitHub's answer is not a pull request" });
  return found;
}

async function complete(github: GitHub, found: Simple, repository: string): Promise<PullRequest> {
  const { number: id, html_url: url, title, head, base } = found;
  const createdAt = unixSeconds(found.created_at);
  if (
    id === undefined ||
    url === undefined ||
    title === undefined ||
    head?.ref === undefined ||
    createdAt === undefined
  ) {
    throw new GitHubError({ reason: "GitHub's answer does not describe the pull request" });
  }
  const headSha = asCommitSha(head.sha);
  const from = { branch: head.ref, repository: head.repo, login: head.user?.login };
  const [commits, reviews] = await Promise.all([commitsOf(github, id), reviewsOf(github, id, headSha)]);
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
    ...(headSha !== undefined && { headSha }),
    ...(base?.ref !== undefined && { baseBranch: base.ref }),
    ...(mergeCommit !== undefined && { mergeCommit }),
    commits,
    complete: commits.length < MAX_COMMITS || commits.length === (await countOf(github, found)),
    reviews,
  };
}

/** How many commits there are, which a list of pull requests does not tell. */
async function countOf(github: GitHub, { number: id, commits }: Simple): Promise<number | undefined> {
  return commits ?? (id === undefined ? undefined : (await single(github, id)).commits);
}

async function commitsOf(github: GitHub, id: number): Promise<PullRequestCommit[]> {
  const request = {
    path: "/pulls/{number}/commits",
    parameters: { number: id },
    permission: PERMISSION,
  } as const;
  const records = await items(github, { ...request, subject: `pull request #${id}` });
  return records.map((item) => {
    const record = z.safeParse(commitRecord, item).data;
    const sha = asCommitSha(record?.sha);
    if (record === undefined || sha === undefined) {
      throw new GitHubError({ reason: `GitHub's answer is not the commits of pull request #${id}` });
    }
    return { sha, url: record.html_url, facts: factsOfRecord(record), people: peopleOf(record) };
  });
}

async function reviewsOf(github: GitHub, id: number, headSha: string | undefined): Promise<Review[]> {
  const request = {
    path: "/pulls/{number}/reviews",
    parameters: { number: id },
    permission: PERMISSION,
  } as const;
  return latestReviews(await items(github, { ...request, subject: `pull request #${id}` }), headSha);
}

async function items(github: GitHub, request: GitHubRequest): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const page of github.pages(request)) {
    if (!Array.isArray(page)) throw new GitHubError({ reason: "GitHub's answer is not a list" });
    all.push(...page);
  }
  return all;
}
