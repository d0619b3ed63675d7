import type { Untyped } from "../api/untyped.ts";
import { asCommitSha, type CommitFacts, signature } from "../github/api/commit-facts.ts";
import type { Person, PullRequest, PullRequestCommit, Review } from "../github/api/pull-request.ts";
import { secondsAt, textAt } from "./paths.ts";

/** Code hosts, by their names in the interface. */
export const PROVIDERS = ["github", "gitlab", "bitbucket", "azure"] as const;
export type Provider = (typeof PROVIDERS)[number];

/** A code host other than GitHub. */
export interface CodeHost {
  /** Pull requests that contain a commit or were merged as that commit. */
  linked(sha: string): Promise<readonly Untyped[]>;
  /** Reads the details of a pull request that `linked` returned. */
  complete(found: Untyped, sha: string): Promise<PullRequest>;
}

/** A user of a code host. */
export interface Account extends Person {
  /** As recorded. */
  readonly label: string;
  readonly bot: boolean;
  readonly group?: boolean;
}

/** @param timestamp Unix seconds, if the host has the time */
export function approvalOf({ label, group, ...person }: Account, timestamp: number | undefined): Review {
  return { username: label, person, bot: person.bot, ...(group && { group }), state: "APPROVED", timestamp };
}

/** The latest time of each account. */
export function latest(times: readonly (readonly [account: string, at: number | undefined])[]) {
  return new Map(times.toSorted(([, one = 0], [, other = 0]) => one - other));
}

/** A commit by its author and committer. */
export function commitBy(
  [author, committer]: readonly [Person, Person],
  commit: Pick<PullRequestCommit, "sha" | "url"> & Pick<CommitFacts, "message" | "timestamp">,
): PullRequestCommit {
  const { sha, url, message, timestamp } = commit;
  const facts = { message, author: signature(author.name, author.email), timestamp };
  return { sha, url, facts, people: [author, committer] };
}

/** Dotted paths of a pull request's facts in the JSON of a host. */
interface FactPaths {
  readonly state: string;
  /** The state of a merged one. */
  readonly merged: string;
  readonly createdAt: string;
  readonly mergedAt: string;
  readonly headBranch: string;
  readonly baseBranch: string;
}

/**
 * The facts that all hosts have. Missing ones are empty.
 *
 * @param mergeCommit ignored if the pull request is not merged, because some hosts then have one of a trial
 */
export function factsAt(
  details: unknown,
  { label, ...opener }: Account,
  mergeCommit: string | undefined,
  paths: FactPaths,
) {
  const text = (fact: keyof FactPaths) => textAt(details, paths[fact]);
  const isMerged = text("state") === paths.merged;
  return {
    title: textAt(details, "title"),
    state: text("state"),
    author: label,
    opener,
    createdAt: secondsAt(details, paths.createdAt) ?? Number.NaN,
    mergedAt: isMerged ? secondsAt(details, paths.mergedAt) : undefined,
    headBranch: text("headBranch"),
    baseBranch: text("baseBranch"),
    mergeCommit: isMerged ? asCommitSha(mergeCommit) : undefined,
    complete: true,
  };
}
