import { REDACTED } from "../../api/client/hiding.ts";
import type { GitCommitInfo } from "../../api/resources/provenance.ts";
import { cut } from "../step/neutral.ts";
import { type Redaction, withoutAuthors, withoutOwner } from "../step/redaction.ts";
import { type CommitFacts, onlyKnown } from "./commit-facts.ts";

/** A person, from a code host or from a commit. */
export interface Person {
  /** Account at the code host; absent if it is unknown. */
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  /** Set only if the code host does not connect commits with accounts. People with equal names count as one. */
  readonly name?: string | undefined;
  /** Whether the account is one of a program. */
  readonly bot?: boolean;
}

export interface PullRequestCommit {
  readonly sha: string;
  readonly url?: string | undefined;
  readonly facts: CommitFacts;
  /** The author and the committer. */
  readonly people: readonly Person[];
}

/** A reviewer's current review of a pull request: the last decision, or else the last comment. */
export interface Review {
  /** As recorded. */
  readonly username: string;
  readonly bot: boolean;
  /** Set for a group, in whose place one of its members votes. */
  readonly group?: boolean;
  /** Identity of the reviewer, if it is more than `username`. */
  readonly person?: Person;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED" | "COMMENTED";
  /** Unix seconds. */
  readonly timestamp?: number | undefined;
}

export interface PullRequest {
  readonly url: string;
  readonly number: number;
  readonly title: string;
  /** In the words of the code host. */
  readonly state: string;
  /** The account that opened it, as recorded. */
  readonly author: string;
  /** Identity of the author, if it is more than `author`. */
  readonly opener?: Person;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly mergedAt?: number | undefined;
  /** `OWNER:branch` in a fork. */
  readonly headBranch: string;
  readonly baseBranch?: string | undefined;
  /** The commit of the merge or squash, or the last one of a rebase. Absent until it is merged. */
  readonly mergeCommit?: string | undefined;
  readonly commits: readonly PullRequestCommit[];
  /** Whether `commits` is complete: GitHub lists at most 250. */
  readonly complete: boolean;
  readonly reviews: readonly Review[];
  /** State of recorded approvals in the words of the code host, or null to record none; `APPROVED` by default. */
  readonly approvedAs?: string | null;
}

/** Maximum length of a commit message in characters: one submission has hundreds of them. */
const MAX_MESSAGE_LENGTH = 2_000;

/** The pull request as recorded in an attestation. Approvers who later requested changes are omitted. */
export function describePullRequest(pullRequest: PullRequest, redact: ReadonlySet<Redaction> = new Set()) {
  const { url, state, author, title, createdAt, mergedAt, headBranch, baseBranch, mergeCommit } = pullRequest;
  const { approvedAs = "APPROVED" } = pullRequest;
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
    approvers: approvals.map(({ username, timestamp }) => ({
      username,
      ...(approvedAs !== null && { state: approvedAs }),
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
