import type { Comparison } from "../../github/api/comparison.ts";
import type { EnvironmentProtection } from "../../github/api/environment-protection.ts";
import type { Query } from "./query.ts";

/** For the log. */
export function runningText({ flow, environment, running, comparison }: Query): string {
  if (running === undefined) return `The running commit of flow '${flow}' in '${environment}' is unknown.`;
  if (running === null) return `No commit of flow '${flow}' is known to run in '${environment}'.`;
  return `Commit ${running} of flow '${flow}' runs in '${environment}'. Comparison: ${comparisonText(comparison)}.`;
}

/** Comparison of the candidate with the running commit. */
export function comparisonText({ status, aheadBy, behindBy }: Comparison): string {
  switch (status) {
    case "same":
      return "same: the candidate is already running";
    case "ahead":
      return `ahead: adds ${commits(aheadBy)}`;
    case "behind":
      return `behind: reverts ${commits(behindBy)}`;
    case "diverged":
      return `diverged: adds ${commits(aheadBy)} and reverts ${commits(behindBy)}`;
    case "unknown":
      return "unknown";
  }
}

function commits(count: number | undefined): string {
  if (count === undefined) return "commits";
  return `${count} ${count === 1 ? "commit" : "commits"}`;
}

/** Reviewers that a job needs before it enters the environment. */
export function reviewersText(protection: EnvironmentProtection | undefined): string {
  if (protection === undefined) return "unknown";
  const { reviewers, preventsSelfReview, waitMinutes } = protection;
  const names = reviewers.map(({ type, name }) => (type === "team" ? `team ${name}` : name));
  return [
    names.length === 0 ? "none: the environment has no required reviewers" : names.join(" or "),
    preventsSelfReview && names.length > 0 ? "not the person who started the run" : "",
    waitMinutes > 0 ? `after ${waitMinutes} minutes` : "",
  ]
    .filter(Boolean)
    .join(", ");
}
