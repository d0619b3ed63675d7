import { writersOf } from "./authorship.ts";
import type { PullRequest, Review } from "./pull-request.ts";
import { GHOST } from "./reviews.ts";

/**
 * Reasons why there are too few approvals from people who wrote none of the commits, one sentence each without a full
 * stop; empty if there are enough. One pull request with enough approvals suffices. Pull requests closed without a merge
 * do not count.
 *
 * An approval is valid until its reviewer requests changes or it is dismissed, as at GitHub. Whether pushes dismiss it
 * is a setting of the repository.
 */
export function missingApprovals(pullRequests: readonly PullRequest[], required: number): string[] {
  if (required <= 0) return [];
  const candidates = pullRequests.filter(({ state }) => state !== "CLOSED");
  if (candidates.length === 0) return ["no open or merged pull request contains the commit"];
  const missing = candidates.map((pullRequest) => missingIn(pullRequest, required));
  return missing.some((reasons) => reasons.length === 0) ? [] : missing.flat();
}

function missingIn({ number, commits, complete, reviews }: PullRequest, required: number): string[] {
  const writers = writersOf(commits.flatMap(({ people }) => people));
  const approvals = reviews.filter((review) => objection(review, writers) === undefined).length;
  // An approver may have written one of the commits that GitHub does not list.
  if (approvals >= required && complete) return [];
  const name = `pull request #${number}`;
  const reasons = [
    `${name} has ${approvals} of ${required} approvals from people who are not authors of its commits`,
  ];
  if (!complete) reasons.push(`${name} has more commits than GitHub lists, so some authors are unknown`);
  for (const review of reviews) {
    const why = objection(review, writers);
    // Authors comment on their own work when they answer their reviewers.
    const answered = review.state === "COMMENTED" && isWriter(review, writers);
    if (why !== undefined && !answered) reasons.push(`${review.username} ${why}`);
  }
  return reasons;
}

/** Why a review does not count as an approval. */
function objection(review: Review, writers: ReadonlySet<string>): string | undefined {
  if (review.state === "CHANGES_REQUESTED") return "requested changes";
  if (review.state === "DISMISSED") return "approved or requested changes, but the review was dismissed";
  if (review.state === "COMMENTED") return "only commented";
  if (review.bot) return "approved, but is a bot";
  if (review.username === GHOST) return "approved, but the account was deleted, so the approver is unknown";
  return isWriter(review, writers) ? "approved, but wrote some of the commits" : undefined;
}

function isWriter({ username }: Review, writers: ReadonlySet<string>): boolean {
  return writers.has(username.toLowerCase());
}
