import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../api/client/errors.ts";
import { REDACTED } from "../../api/client/hiding.ts";
import type { GitCommitInfo } from "../../api/resources/provenance.ts";
import { asCommitSha, type CommitFacts, onlyKnown } from "../api/commit-facts.ts";
import { type GitHubAddress, gitHubAddress } from "../api/github-address.ts";
import { type Redaction, withoutAuthors, withoutOwner } from "../step/redaction.ts";
import type { Runner } from "../step/runner.ts";
import { commitsOfEvent, factsOfEvent } from "./event-commit.ts";
import { commitPage } from "./repository.ts";

/** Maximum length of a commit message in UTF-8 bytes. Longer ones are cut. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

export interface CommitQuestion {
  readonly runner: Runner;
  readonly sha: string;
  /** Without a token, no requests are sent to GitHub. */
  readonly token?: string | undefined;
  readonly redact: ReadonlySet<Redaction>;
  readonly signal: AbortSignal;
  /** Called with what is missing from the result, and why. */
  readonly warn: (text: string) => void;
  /** Timeout for GitHub in milliseconds; five seconds by default. */
  readonly gitHubTimeLimitMs?: number;
}

/**
 * The `commit` input, or else the commit of the event or of another CI system. Undefined if neither names one.
 *
 * @throws {InputError} for an input that is not a full commit SHA
 */
export function commitOf(runner: Runner, input = ""): string | undefined {
  if (input.trim() === "") return runner.ci ? runner.ci.commit : commitsOfEvent(runner)[0]?.sha;
  const sha = asCommitSha(input);
  if (sha !== undefined) return sha;
  const problem = /^0{40}$/.test(input.trim())
    ? "must not be all zeros, which means no commit at GitHub"
    : `must be a full commit SHA of 40 hexadecimal digits, not '${input.trim()}'`;
  throw new InputError([{ input: "commit", problem }]);
}

/** The branch whose head is the commit, if GitHub confirms that the name is not a tag's. */
async function confirmedBranch({ runner, sha, token, redact, signal, warn, ...limits }: CommitQuestion) {
  if (redact.has("branch")) return REDACTED;
  if (runner.ci) return sha === runner.ci.commit ? runner.ci.branch : undefined;
  const { branch, mayBeTag } = commitsOfEvent(runner).find((commit) => commit.sha === sha) ?? {};
  if (branch === undefined || mayBeTag !== true) return branch;
  const address = gitHubAddress(runner, token, signal);
  if (address === undefined) {
    warn(
      `No branch is recorded: '${branch}' may be a tag. To check the branch at GitHub, set github-token to a token with the permission contents: read.`,
    );
    return undefined;
  }
  const { isTag } = await import("../api/commit-api.ts");
  const { answer, warning } = await isTag(withLimit(address, limits), branch);
  if (warning !== undefined) warn(warning);
  return answer ? undefined : branch;
}

/**
 * Gathers facts of a commit from GitHub's API, the local clone and the event, in this order of trust.
 *
 * @throws the signal's reason when it aborts; for nothing else
 */
export async function describeCommit(question: CommitQuestion): Promise<GitCommitInfo> {
  const { runner, sha, redact, signal, warn } = question;
  const [fromApi, fromGit, branch] = await Promise.all([
    factsFromGitHub(question),
    factsFromGit(question),
    confirmedBranch(question),
  ]);
  signal.throwIfAborted();
  const sources = [fromApi, fromGit, factsOfJob(runner, sha)];
  warnOfUnknown(sources, question);
  const author = redact.has("author")
    ? { author: REDACTED }
    : { author: first(sources, "author"), authorUsername: first(sources, "authorUsername") };
  const message = redact.has("message") ? REDACTED : first(sources, "message");
  return onlyKnown({
    sha1: sha,
    message: shortened(redact.has("author") ? message && withoutAuthors(message) : message, warn),
    ...author,
    branch: redact.has("author") ? branch && withoutOwner(branch) : branch,
    timestamp: first(sources, "timestamp"),
    url: commitPage(runner, sha),
    parents: first(sources, "parents"),
    verified: first(sources, "verified"),
    signatureState: first(sources, "signatureState"),
  });
}

/** Warns if another CI system has nothing about the author. GitHub Actions has at least the event. */
function warnOfUnknown(
  sources: readonly CommitFacts[],
  { runner: { ci }, sha, redact, warn }: CommitQuestion,
): void {
  if (ci === undefined || redact.has("author") || first(sources, "author") !== undefined) return;
  const [why, advice] = ci.workspace
    ? ["the clone does not contain it", ci.advice.history]
    : ["this folder is in no clone", "Run this command in the checkout of the repository."];
  warn(`The author and the time of commit ${sha} are unknown, because ${why}. ${advice}`);
}

/** Facts that the job has of its own commit. */
function factsOfJob(runner: Runner, sha: string): CommitFacts {
  if (runner.ci) return (sha === runner.ci.commit && runner.ci.facts) || {};
  return factsOfEvent(runner, sha);
}

/** A fact from the first source that has it. */
function first<Name extends keyof CommitFacts>(sources: readonly CommitFacts[], name: Name) {
  return sources.find((source) => source[name] !== undefined)?.[name];
}

async function factsFromGitHub(question: CommitQuestion): Promise<CommitFacts> {
  const { runner, sha, token, signal, warn } = question;
  const address = gitHubAddress(runner, token, signal);
  if (address === undefined) return {};
  const { fetchCommit } = await import("../api/commit-api.ts");
  const { facts, warning } = await fetchCommit({ ...withLimit(address, question), sha });
  if (warning !== undefined) warn(warning);
  return facts;
}

function withLimit(
  address: GitHubAddress,
  { gitHubTimeLimitMs: timeLimitMs }: Pick<CommitQuestion, "gitHubTimeLimitMs">,
): GitHubAddress {
  return timeLimitMs === undefined ? address : { ...address, timeLimitMs };
}

async function factsFromGit({ runner, sha, signal }: CommitQuestion): Promise<CommitFacts> {
  const { workspace } = runner.ci ?? runner;
  const { childEnv: env } = runner;
  if (workspace === undefined || !existsSync(join(workspace, ".git"))) return {};
  const { readLocalCommit } = await import("./local-git.ts");
  return (await readLocalCommit({ workspace, sha, env, signal })) ?? {};
}

/** The message without its final line break, cut to the limit. */
function shortened(given: string | undefined, warn: (text: string) => void): string | undefined {
  const message = given?.trim();
  if (message === undefined) return undefined;
  const bytes = Buffer.byteLength(message);
  if (bytes <= MAX_MESSAGE_BYTES) return message;
  warn(`The commit message has ${bytes} bytes; only the first ${MAX_MESSAGE_BYTES} are recorded`);
  // encodeInto stops before a character that does not fit whole.
  const { read } = new TextEncoder().encodeInto(message, new Uint8Array(MAX_MESSAGE_BYTES));
  return `${message.slice(0, read)}…`;
}
