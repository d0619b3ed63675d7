import { REDACTED } from "../../api/client/hiding.ts";
import type { GitCommitInfo } from "../../api/resources/provenance.ts";
import { cut } from "../step/neutral.ts";
import { type Redaction, withoutAuthors, withoutOwner } from "../step/redaction.ts";
import { type CommitFacts, onlyKnown } from "./commit-facts.ts";

/** A person, from GitHub or from a commit. */
export interface Person {
  /** Account at GitHub; absent if the email address belongs to none. */
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

export interface PullRequestCommit {
  readonly sha: string;
  readonly url?: string | undefined;
  readonly facts: CommitFacts;
  /** The author, the committer and the co-authors named in the message. */
  readonly people: readonly Person[];
}

/** A reviewer's current review of a pull request: the last decision, or else the last comment. */
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
  /** The commit of the merge or squash, or the last one of a rebase. Absent until it is merged. */
  readonly mergeCommit?: string;
  readonly commits: readonly PullRequestCommit[];
  /** Whether `commits` is complete: GitHub lists at most 250. */
  readonly complete: boolean;
  readonly reviews: readonly Review[];
}

/** Maximum length of a commit message in characters: one submission has up to 250 of them. */
const MAX_MESSAGE_LENGTH = 2_000;

/** The pull request as recorded in an attestation. Approvers who later requested changes are omitted. */
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
