/** Pure functions that evaluate validated submissions of each kind. */

/** Compliant if tests ran without failures or errors. Without tests, non-compliant. */
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

/** Compliant if the quality gate passed. Without a gate, non-compliant. */
export function gatePassed({
  qualityGate,
}: {
  qualityGate?: { status: string } | null | undefined;
}): boolean {
  return qualityGate?.status === "OK";
}
