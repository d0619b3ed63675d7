/** Verdicts on submissions of each kind. Pure; expects validated input. */

/** Compliant if tests ran without failures or errors. No tests prove nothing. */
export function testsPassed(results: readonly { failures: number; errors: number }[]): boolean {
  return results.length > 0 && results.every(({ failures, errors }) => failures + errors === 0);
}

/** Compliant without findings of any severity. */
export function nothingFound(
  projects: readonly { lowCount: number; mediumCount: number; highCount: number }[],
): boolean {
  return projects.every(({ lowCount, mediumCount, highCount }) => lowCount + mediumCount + highCount === 0);
}

/** Compliant with any pull request, open or merged. */
export function hasPullRequest(pullRequests: readonly unknown[]): boolean {
  return pullRequests.length > 0;
}

/** Compliant if the commit refers to issues and all exist. */
export function issuesExist(issues: readonly { issueExists: boolean }[]): boolean {
  return issues.length > 0 && issues.every(({ issueExists }) => issueExists);
}

/** Compliant if the quality gate passed; without a gate it did not. */
export function gatePassed({
  qualityGate,
}: {
  qualityGate?: { status: string } | null | undefined;
}): boolean {
  return qualityGate?.status === "OK";
}
