import { type Writers, writersOf } from "./authorship.ts";
import type { PullRequest, Review } from "./pull-request.ts";
import { GHOST } from "./reviews.ts";

export interface ApprovalVerdict {
  readonly satisfied: boolean;
  /** The accounts whose approval counts. */
  readonly approvedBy: readonly string[];
  /** What is missing, one sentence each without a full stop; empty when satisfied. */
  readonly whyNot: readonly string[];
  /** E-mail addresses in commits that belong to no account known here: whether one is an approver's is not known. */
  readonly strangers: readonly string[];
}

/**
 * Whether enough people approved who wrote none of the commits. Of several pull requests that brought a commit, one
 * with enough approvals is enough; one that was closed without a merge brought nothing.
 *
 * An approval stands until its reviewer asks for changes or it is dismissed, as at GitHub: whether pushes dismiss it
 * is the repository's own setting.
 */
export function judgeApprovals(pullRequests: readonly PullRequest[], required: number): ApprovalVerdict {
  const candidates = pullRequests.filter(({ state }) => state !== "CLOSED");
  const verdicts = candidates.map((pullRequest) => judge(pullRequest, required));
  const good = verdicts.find(({ satisfied }) => satisfied);
  if (good) return good;
  if (required <= 0) return { satisfied: true, approvedBy: [], whyNot: [], strangers: [] };
  if (verdicts.length === 0) {
    const whyNot = ["no pull request, open or merged, holds the commit"];
    return { satisfied: false, approvedBy: [], whyNot, strangers: [] };
  }
  return {
    satisfied: false,
    approvedBy: [...new Set(verdicts.flatMap(({ approvedBy }) => approvedBy))],
    whyNot: verdicts.flatMap(({ whyNot }) => whyNot),
    strangers: [...new Set(verdicts.flatMap(({ strangers }) => strangers))],
  };
}

function judge(pullRequest: PullRequest, required: number): ApprovalVerdict {
  const writers = writersOf(pullRequest.commits.flatMap(({ people }) => people));
  const counted = pullRequest.reviews.filter((review) => objection(review, writers) === undefined);
  const approvedBy = counted.map(({ username }) => username);
  const { strangers } = writers;
  // Among the commits that GitHub does not list may be one of an approver.
  const satisfied = approvedBy.length >= required && (pullRequest.complete || required <= 0);
  if (satisfied) return { satisfied, approvedBy, whyNot: [], strangers };
  const name = `pull request #${pullRequest.number}`;
  const whyNot = [`${name} has ${approvedBy.length} of ${required} approvals by people who wrote none of it`];
  if (!pullRequest.complete)
    whyNot.push(`${name} has more commits than GitHub lists, so who wrote all of them is not known`);
  for (const review of pullRequest.reviews) {
    const why = objection(review, writers);
    // Authors comment on their own work when they answer their reviewers.
    const answered = review.state === "COMMENTED" && isWriter(review, writers);
    if (why !== undefined && !answered) whyNot.push(`${review.username} ${why}`);
  }
  return { satisfied, approvedBy, whyNot, strangers };
}

/** Why a review is no approval that counts. */
function objection(review: Review, writers: Writers): string | undefined {
  if (review.state === "CHANGES_REQUESTED") return "asked for changes";
  if (review.state === "DISMISSED") return "approved or asked for changes, but that was dismissed";
  if (review.state === "COMMENTED") return "only commented";
  if (review.bot) return "approved, but is a bot";
  if (review.username === GHOST) return "approved, but deleted the account, so who it was is not known";
  return isWriter(review, writers) ? "approved, but wrote some of the commits" : undefined;
}

function isWriter({ username }: Review, { usernames }: Writers): boolean {
  return usernames.has(username.toLowerCase());
}
