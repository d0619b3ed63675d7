/*
 * What each kind of attestation makes of what it holds. Pure, and only ever asked about checked submissions.
 */

/** Tests ran, and none of them failed or broke. Without tests there is no evidence that anything works. */
export function testsPassed(results: readonly { failures: number; errors: number }[]): boolean {
  return results.length > 0 && results.every(({ failures, errors }) => failures + errors === 0);
}

/** A scan found nothing, of whatever severity. */
export function nothingFound(
  projects: readonly { lowCount: number; mediumCount: number; highCount: number }[],
): boolean {
  return projects.every(({ lowCount, mediumCount, highCount }) => lowCount + mediumCount + highCount === 0);
}

/** There is a pull request. Its state does not matter: an open one was not merged, but it was opened. */
export function hasPullRequest(pullRequests: readonly unknown[]): boolean {
  return pullRequests.length > 0;
}

/** The commit refers to issues, and all of them exist. */
export function issuesExist(issues: readonly { issueExists: boolean }[]): boolean {
  return issues.length > 0 && issues.every(({ issueExists }) => issueExists);
}

/** The quality gate was passed. Without a gate nothing was. */
export function gatePassed({
  qualityGate,
}: {
  qualityGate?: { status: string } | null | undefined;
}): boolean {
  return qualityGate?.status === "OK";
}
