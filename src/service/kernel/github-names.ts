/** Runs of these events concern a pull request: they may run other people's code, from a trial merge. */
export const PULL_REQUEST_EVENTS: readonly string[] = [
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "pull_request_target",
];

/** People without any right to a repository can trigger these events, at least in a public one. */
export const OUTSIDER_EVENTS: readonly string[] = [
  ...PULL_REQUEST_EVENTS,
  "commit_comment",
  "discussion",
  "discussion_comment",
  "fork",
  "gollum",
  "issue_comment",
  "issues",
  "watch",
  "workflow_run",
];

const GITHUB_API_HOST = "api.github.com";

/** Whether a host is the API of GitHub.com or of a GHE.com subdomain. GitHub runs both. */
export function isGitHubCloudHost(hostname: string): boolean {
  return hostname === GITHUB_API_HOST || /^api\.[^.]+\.ghe\.com$/.test(hostname);
}

export function isSameName(one: string, other: string): boolean {
  return lowerAscii(one) === lowerAscii(other);
}

/** ASCII only: full case folding would map `\u212a`, the Kelvin sign, to `k`. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
