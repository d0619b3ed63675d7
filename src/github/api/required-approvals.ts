import { writersOf } from "./authorship.ts";
import type { PullRequest, Review } from "./pull-request.ts";
import { GHOST } from "./reviews.ts";

/**
 * Why too few people approved who wrote none of the commits, one sentence each without a full stop; empty when enough
 * did. Of several pull requests that brought a commit, one with enough approvals is enough; one that was closed without
 * a merge brought nothing.
 *
 * An approval stands until its reviewer asks for changes or it is dismissed, as at GitHub: whether pushes dismiss it
 * is the repository's own setting.
 */
export function missingApprovals(pullRequests: readonly PullRequest[], required: number): string[] {
  if (required <= 0) return [];
  const candidates = pullRequests.filter(({ state }) => state !== "CLOSED");
  if (candidates.length === 0) return ["no pull request, open or merged, holds the commit"];
  const missing = candidates.map((pullRequest) => missingIn(pullRequest, required));
  return missing.some((reasons) => reasons.length === 0) ? [] : missing.flat();
}

function missingIn({ number, commits, complete, reviews }: PullRequest, required: number): string[] {
  const writers = writersOf(commits.flatMap(({ people }) => people));
  const approvals = reviews.filter((review) => objection(review, writers) === undefined).length;
  // Among the commits that GitHub does not list may be one of an approver.
  if (approvals >= required && complete) return [];
  const name = `pull request #${number}`;
  const reasons = [`${name} has ${approvals} of ${required} approvals by people who wrote none of it`];
  if (!complete)
    reasons.push(`${name} has more commits than GitHub lists, so who wrote all of them is not known`);
  for (const review of reviews) {
    const why = objection(review, writers);
    // Authors comment on their own work when they answer their reviewers.
    const answered = review.state === "COMMENTED" && isWriter(review, writers);
    if (why !== undefined && !answered) reasons.push(`${review.username} ${why}`);
  }
  return reasons;
}

/** Why a review is no approval that counts. */
function objection(review: Review, writers: ReadonlySet<string>): string | undefined {
  if (review.state === "CHANGES_REQUESTED") return "asked for changes";
  if (review.state === "DISMISSED") return "approved or asked for changes, but that was dismissed";
  if (review.state === "COMMENTED") return "only commented";
  if (review.bot) return "approved, but is a bot";
  if (review.username === GHOST) return "approved, but deleted the account, so who it was is not known";
  return isWriter(review, writers) ? "approved, but wrote some of the commits" : undefined;
}

function isWriter({ username }: Review, writers: ReadonlySet<string>): boolean {
  return writers.has(username.toLowerCase());
}
