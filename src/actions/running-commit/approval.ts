import { GHOST } from "../../github/api/reviews.ts";
import type { RunApproval } from "../../github/api/run-approvals.ts";

/** Whether a run was let into an environment by a person, and why not. */
export interface ApprovalVerdict {
  readonly approved: boolean;
  /** The accounts whose approval counts. */
  readonly approvedBy: readonly string[];
  /** Nobody approved but those who started the run. GitHub allows that unless the environment prevents it. */
  readonly selfApproved: boolean;
  /** What is missing, one sentence each without a full stop; empty when approved. */
  readonly whyNot: readonly string[];
  /** All that was said of the environment. */
  readonly reviews: readonly RunApproval[];
}

/** Judges what GitHub lists of a run's approvals for one of the repository's environments. */
export function judgeRunApprovals(
  listed: readonly RunApproval[],
  { environment, startedBy }: { environment: string; startedBy: readonly string[] },
): ApprovalVerdict {
  const reviews = listed.filter(({ environments }) => environments.some((name) => same(name, environment)));
  const approvals = reviews.filter(({ state }) => state === "approved");
  const counted = approvals.filter((review) => objection(review) === undefined);
  const rejections = reviews.filter(({ state }) => state === "rejected");
  const approvedBy = [...new Set(counted.map(({ username }) => username))];
  const approved = approvedBy.length > 0 && rejections.length === 0;
  return {
    approved,
    approvedBy,
    selfApproved: approved && approvedBy.every((name) => startedBy.some((starter) => same(name, starter))),
    whyNot: approved ? [] : whyNot({ approvals, rejections, approvedBy, environment }),
    reviews,
  };
}

interface Found {
  readonly approvals: readonly RunApproval[];
  readonly rejections: readonly RunApproval[];
  readonly approvedBy: readonly string[];
  readonly environment: string;
}

function whyNot({ approvals, rejections, approvedBy, environment }: Found): string[] {
  const reasons = [
    ...rejections.map(({ username }) => `${username} rejected it`),
    ...approvals.flatMap((review) => objection(review) ?? []),
  ];
  if (rejections.length > 0 && approvedBy.length > 0) {
    reasons.push(
      `${approvedBy.join(", ")} approved it, and GitHub does not say whether before or after: start a new run`,
    );
  }
  if (reasons.length > 0) return reasons;
  return [
    `GitHub lists no approval of this run for '${environment}': the environment has no required reviewers, somebody bypassed them, or the job does not name it`,
  ];
}

/** Why an approval does not count. */
function objection({ username }: RunApproval): string | undefined {
  if (username.endsWith("[bot]")) return `${username} approved it, but is a bot`;
  return same(username, GHOST)
    ? "somebody approved it, but deleted the account, so who it was is not known"
    : undefined;
}

/** Accounts and environments are the same in upper and lower case at GitHub. */
function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
