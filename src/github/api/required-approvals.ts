import { coAuthors, identitiesOf } from "./authorship.ts";
import type { Person, PullRequest, Review } from "./pull-request.ts";
import { GHOST } from "./reviews.ts";

/** States of a pull request that was closed without a merge, at all code hosts. */
const DISCARDED: ReadonlySet<string> = new Set(["closed", "declined", "superseded", "abandoned"]);

/**
 * Reasons why there are too few approvals from people who neither opened the pull request nor wrote one of its
 * commits. Each is a sentence without a full stop. Empty if one pull request has enough approvals. Pull requests that
 * were closed without a merge do not count.
 *
 * An approval is valid until its reviewer requests changes or it is dismissed, as at the code host. Whether pushes
 * dismiss it is a setting of the repository.
 */
export function missingApprovals(pullRequests: readonly PullRequest[], required: number): string[] {
  if (required <= 0) return [];
  const candidates = pullRequests.filter(({ state }) => !DISCARDED.has(state.toLowerCase()));
  if (candidates.length === 0) return ["no open or merged pull request contains the commit"];
  const missing = candidates.map((pullRequest) => missingIn(pullRequest, required));
  return missing.some((reasons) => reasons.length === 0) ? [] : missing.flat();
}

function missingIn(pullRequest: PullRequest, required: number): string[] {
  const { number, commits, complete, reviews, opener, author } = pullRequest;
  const people: People = {
    writers: identitiesOf(commits.flatMap(({ people, facts }) => [...people, ...coAuthors(facts.message)])),
    opener: identitiesOf([opener ?? { username: author }]),
  };
  const approvals = reviews.filter((review) => objection(review, people) === undefined).length;
  // An approver may have written one of the commits that GitHub does not list.
  if (approvals >= required && complete) return [];
  const name = `pull request #${number}`;
  const reasons = [
    `${name} has ${approvals} of ${required} approvals from people who are not authors of its commits`,
  ];
  if (!complete) reasons.push(`${name} has more commits than GitHub lists, so some authors are unknown`);
  for (const review of reviews) {
    const why = objection(review, people);
    // Authors comment on their own work when they answer their reviewers.
    const answered = review.state === "COMMENTED" && isOne(review, people.writers);
    if (why !== undefined && !answered) reasons.push(`${review.username} ${why}`);
  }
  return reasons;
}

interface People {
  readonly writers: ReadonlySet<string>;
  readonly opener: ReadonlySet<string>;
}

/** Why a review does not count as an approval. */
function objection(review: Review, { writers, opener }: People): string | undefined {
  if (review.state === "CHANGES_REQUESTED") return "requested changes";
  if (review.state === "DISMISSED") return "approved or requested changes, but the review was dismissed";
  if (review.state === "COMMENTED") return "only commented";
  if (review.bot) return "approved, but is a bot";
  if (review.group) return "approved, but is a group";
  if (review.username === GHOST || identitiesOf([reviewerOf(review)]).size === 0)
    return "approved, but the account was deleted, so the approver is unknown";
  if (isOne(review, writers)) return "approved, but wrote some of the commits";
  return isOne(review, opener) ? "approved, but opened the pull request" : undefined;
}

function reviewerOf({ username, person = { username } }: Review): Person {
  return person;
}

function isOne(review: Review, people: ReadonlySet<string>): boolean {
  return [...identitiesOf([reviewerOf(review)])].some((identity) => people.has(identity));
}
