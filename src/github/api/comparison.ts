import * as z from "zod/mini";
import { type CommitRecord, commitRecord } from "../event/commit-record.ts";
import type { LocalHistory } from "../event/local-history.ts";
import { commitPage } from "../event/repository.ts";
import type { Runner } from "../step/runner.ts";
import { asCommitSha, unixSeconds } from "./commit-facts.ts";
import { gitHubAddress } from "./github-address.ts";
import { askGitHub, type GitHub } from "./github-api.ts";
import { number, parseAnswer } from "./lenient.ts";

/** Maximum number of listed commits. Readers look at no more, and each hundred takes a request. */
export const MAX_COMPARED_COMMITS = 1_000;
/** Timeout for GitHub in milliseconds: a long comparison has many pages. */
const TIME_LIMIT_MS = 15_000;

export interface ComparedCommit {
  readonly sha: string;
  readonly subject: string;
  readonly author?: string;
  readonly username?: string;
  /** Author time in Unix seconds. */
  readonly timestamp?: number;
  readonly url?: string;
}

/** Comparison of a head with a base. Unknown values are absent. */
export interface Comparison {
  readonly status: "same" | "ahead" | "behind" | "diverged" | "unknown";
  /** Number of commits that only the head has. */
  readonly aheadBy?: number;
  readonly behindBy?: number;
  /** The commits that only the head has, oldest first. */
  readonly commits: readonly ComparedCommit[];
  /** Whether `commits` is complete. */
  readonly complete: boolean;
  /** GitHub's page of the comparison. */
  readonly url?: string;
}

export interface ComparisonQuestion {
  readonly runner: Runner;
  readonly base: string;
  readonly head: string;
  /** Without a token, no requests are sent to GitHub. */
  readonly token?: string | undefined;
  readonly signal: AbortSignal;
  /** Called with what is missing from the result, and why. */
  readonly warn: (text: string) => void;
  /** Timeout for GitHub in milliseconds; 15 seconds by default. */
  readonly timeLimitMs?: number;
}

/**
 * Compares two commits by GitHub's API, or else by the clone's history.
 *
 * @throws the signal's reason when it aborts; for nothing else
 */
export async function compareCommits(question: ComparisonQuestion): Promise<Comparison> {
  const { runner, base, head } = question;
  const url = addressOf(runner, `compare/${base}...${head}`);
  const found =
    base === head
      ? ({ status: "same", aheadBy: 0, behindBy: 0, commits: [], complete: true } as const)
      : ((await fromGitHub(question)) ?? (await fromClone(question)) ?? UNKNOWN);
  if (found === UNKNOWN && runner.ci) {
    const why = "The clone does not contain both commits with their history";
    question.warn(`${why}, so they were not compared. ${runner.ci.advice.history}`);
  }
  return url === undefined ? found : { url, ...found };
}

const UNKNOWN: Comparison = { status: "unknown", commits: [], complete: false };

function addressOf({ serverUrl, repository }: Runner, path: string): string | undefined {
  return repository === undefined ? undefined : `${serverUrl}/${repository}/${path}`;
}

const STATUSES = { identical: "same", ahead: "ahead", behind: "behind", diverged: "diverged" } as const;

const answer = z.object({
  status: z.enum(["identical", "ahead", "behind", "diverged"]),
  ahead_by: number,
  behind_by: number,
  commits: z.array(commitRecord),
});

async function fromGitHub(question: ComparisonQuestion): Promise<Comparison | undefined> {
  const { runner, base, head, token, signal, timeLimitMs = TIME_LIMIT_MS, warn } = question;
  const address = gitHubAddress(runner, token, signal);
  if (address === undefined) return undefined;
  const outcome = await askGitHub({ ...address, timeLimitMs }, (github) => readPages(github, question));
  if ("answer" in outcome) return outcome.answer;
  const setting = runner.ci ? "" : " (fetch-depth: 0)";
  const so = `The step uses the clone instead, which must have the whole history${setting}.`;
  warn(outcome.fault.explain(address.apiUrl, `returned no comparison of ${base} with ${head}`, so));
  return undefined;
}

async function readPages(github: GitHub, { base, head, runner }: ComparisonQuestion): Promise<Comparison> {
  const commits: ComparedCommit[] = [];
  let found: Omit<Comparison, "commits" | "complete"> = UNKNOWN;
  const pages = github.pages({
    path: "/compare/{basehead}",
    parameters: { basehead: `${base}...${head}` },
    subject: "pair of commits",
    permission: "contents: read",
  });
  for await (const page of pages) {
    const part = parseAnswer(answer, page, "a comparison");
    const { ahead_by: aheadBy, behind_by: behindBy } = part;
    found = {
      status: STATUSES[part.status],
      ...(aheadBy !== undefined && { aheadBy }),
      ...(behindBy !== undefined && { behindBy }),
    };
    commits.push(...part.commits.flatMap((record) => comparedCommit(record, runner)));
    if (commits.length >= MAX_COMPARED_COMMITS) break;
  }
  return { ...found, commits, complete: commits.length === found.aheadBy };
}

function comparedCommit(record: CommitRecord, runner: Runner): ComparedCommit[] {
  const sha = asCommitSha(record.sha);
  if (sha === undefined) return [];
  const url = record.html_url ?? commitPage(runner, sha);
  const author = record.commit?.author;
  const timestamp = unixSeconds(author?.date);
  return [
    {
      sha,
      subject: subjectOf(record.commit?.message),
      ...(author?.name && { author: author.name }),
      ...(record.author?.login && { username: record.author.login }),
      ...(timestamp !== undefined && { timestamp }),
      ...(url !== undefined && { url }),
    },
  ];
}

function subjectOf(message = ""): string {
  return message.trim().split("\n", 1)[0]?.trim() ?? "";
}

async function fromClone({
  runner,
  base,
  head,
  signal,
}: ComparisonQuestion): Promise<Comparison | undefined> {
  const { workspace } = runner.ci ?? runner;
  const { childEnv: env } = runner;
  if (workspace === undefined) return undefined;
  const { readLocalHistory } = await import("../event/local-history.ts");
  const history = await readLocalHistory({ workspace, env, signal, base, head, limit: MAX_COMPARED_COMMITS });
  signal.throwIfAborted();
  if (history === undefined) return undefined;
  const { aheadBy, behindBy } = history;
  return {
    status: statusOf(history),
    aheadBy,
    behindBy,
    commits: history.commits.map((commit) => {
      const url = commitPage(runner, commit.sha);
      return url === undefined ? commit : { ...commit, url };
    }),
    complete: history.commits.length === aheadBy,
  };
}

function statusOf({ aheadBy, behindBy }: LocalHistory): Comparison["status"] {
  if (aheadBy > 0) return behindBy > 0 ? "diverged" : "ahead";
  return behindBy > 0 ? "behind" : "same";
}
