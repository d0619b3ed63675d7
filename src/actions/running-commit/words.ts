import type { Comparison } from "../../github/api/comparison.ts";
import type { EnvironmentProtection } from "../../github/api/environment-protection.ts";
import type { Query } from "./query.ts";

/** For the log. */
export function runningText({ flow, environment, running, comparison }: Query): string {
  if (running === undefined) return `What of flow '${flow}' runs in '${environment}' is not known.`;
  if (running === null) return `Nothing of flow '${flow}' is known to run in '${environment}'.`;
  return `Commit ${running} of flow '${flow}' runs in '${environment}'. Comparison: ${comparisonText(comparison)}.`;
}

/** How the candidate compares with the running commit. */
export function comparisonText({ status, aheadBy, behindBy }: Comparison): string {
  switch (status) {
    case "same":
      return "same: the candidate runs already";
    case "ahead":
      return `ahead: adds ${commits(aheadBy)}`;
    case "behind":
      return `behind: takes ${commits(behindBy)} back`;
    case "diverged":
      return `diverged: adds ${commits(aheadBy)} and takes ${commits(behindBy)} back`;
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
  if (protection === undefined) return "not known";
  const { reviewers, preventsSelfReview, waitMinutes } = protection;
  const names = reviewers.map(({ type, name }) => (type === "team" ? `team ${name}` : name));
  return [
    names.length === 0 ? "nobody: the environment has no required reviewers" : names.join(" or "),
    preventsSelfReview && names.length > 0 ? "not whoever started the run" : "",
    waitMinutes > 0 ? `after ${waitMinutes} minutes` : "",
  ]
    .filter(Boolean)
    .join(", ");
}
