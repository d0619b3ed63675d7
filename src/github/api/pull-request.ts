import { REDACTED } from "../../api/client/hiding.ts";
import type { GitCommitInfo } from "../../api/resources/provenance.ts";
import { cut } from "../step/neutral.ts";
import { type Redaction, withoutAuthors, withoutOwner } from "../step/redaction.ts";
import { type CommitFacts, onlyKnown } from "./commit-facts.ts";

/** Someone as GitHub knows them, or as a commit does. */
export interface Person {
  /** Their account at GitHub; absent when the e-mail address belongs to none. */
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

export interface PullRequestCommit {
  readonly sha: string;
  readonly url?: string | undefined;
  readonly facts: CommitFacts;
  /** Its author, its committer and the co-authors that its message names. */
  readonly people: readonly Person[];
}

/** A reviewer's word on a pull request: the last that decides, else the last comment. */
export interface Review {
  readonly username: string;
  readonly bot: boolean;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED" | "COMMENTED";
  /** Unix seconds. */
  readonly timestamp?: number;
}

export interface PullRequest {
  readonly url: string;
  readonly number: number;
  readonly title: string;
  readonly state: "OPEN" | "CLOSED" | "MERGED";
  /** The account that opened it. */
  readonly author: string;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly mergedAt?: number;
  /** `OWNER:branch` in a fork. */
  readonly headBranch: string;
  readonly baseBranch?: string;
  /** The commit it became: that of the merge or squash, or the last of a rebase. Absent until it is merged. */
  readonly mergeCommit?: string;
  readonly commits: readonly PullRequestCommit[];
  /** Whether `commits` holds all of them: GitHub lists no more than 250. */
  readonly complete: boolean;
  readonly reviews: readonly Review[];
}

/** The longest message of each commit, in characters: 250 of them go into one submission. */
const MAX_MESSAGE_LENGTH = 2_000;

/** The pull request as an attestation holds it. Approvers who later asked for changes are left out. */
export function describePullRequest(pullRequest: PullRequest, redact: ReadonlySet<Redaction> = new Set()) {
  const { url, state, author, title, createdAt, mergedAt, headBranch, baseBranch, mergeCommit } = pullRequest;
  const approvals = pullRequest.reviews.filter((review) => review.state === "APPROVED");
  return {
    url,
    state,
    author: redact.has("author") ? REDACTED : author,
    title: redact.has("message") ? REDACTED : title,
    createdAt,
    ...(mergedAt !== undefined && { mergedAt }),
    headRef: redact.has("branch") ? REDACTED : shownBranch(headBranch, redact),
    ...(baseBranch !== undefined && { baseRef: baseBranch }),
    ...(mergeCommit !== undefined && { mergeCommit }),
    approvers: approvals.map(({ username, state: approved, timestamp }) => ({
      username,
      state: approved,
      ...(timestamp !== undefined && { timestamp }),
    })),
    commits: pullRequest.commits.map((commit) => describeCommitOf(pullRequest, commit, redact)),
  };
}

function describeCommitOf(
  { headBranch }: PullRequest,
  { sha, url, facts }: PullRequestCommit,
  redact: ReadonlySet<Redaction>,
): GitCommitInfo {
  const { message, author, authorUsername, ...rest } = facts;
  return onlyKnown({
    sha1: sha,
    ...(!redact.has("message") && { message: message && shownMessage(message, redact) }),
    ...(!redact.has("author") && { author, authorUsername }),
    ...(!redact.has("branch") && { branch: shownBranch(headBranch, redact) }),
    url,
    ...rest,
  });
}

function shownBranch(branch: string, redact: ReadonlySet<Redaction>): string {
  return redact.has("author") ? withoutOwner(branch) : branch;
}

function shownMessage(message: string, redact: ReadonlySet<Redaction>): string {
  const shown = redact.has("author") ? withoutAuthors(message) : message;
  return cut(shown, MAX_MESSAGE_LENGTH).toWellFormed();
}
