import { GHOST } from "../../github/api/reviews.ts";
import type { RunApproval } from "../../github/api/run-approvals.ts";

/** The result of checking a run's approvals of an environment. */
export interface ApprovalVerdict {
  readonly approved: boolean;
  /** Accounts whose approval counts. */
  readonly approvedBy: readonly string[];
  /** Whether all approvers also started the run. GitHub allows that unless the environment prevents it. */
  readonly selfApproved: boolean;
  /** One sentence each without a full stop; empty when approved. */
  readonly whyNot: readonly string[];
  readonly reviews: readonly RunApproval[];
}

export function evaluateRunApprovals(
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
      `${approvedBy.join(", ")} approved it, and GitHub does not show whether before or after the rejection: start a new run`,
    );
  }
  if (reasons.length > 0) return reasons;
  return [
    `GitHub lists no approval of this run for '${environment}': the environment has no required reviewers, they were bypassed, or the job does not name it`,
  ];
}

/** Why an approval does not count. */
function objection({ username }: RunApproval): string | undefined {
  if (username.endsWith("[bot]")) return `${username} approved it, but is a bot`;
  return same(username, GHOST) ? "a deleted account approved it, so the approver is unknown" : undefined;
}

/** GitHub ignores the case of accounts and environments. */
function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
