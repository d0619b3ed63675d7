/** URL formats of forges for a commit and for a comparison of two commits. */
const FORGES: readonly { commit: RegExp; compare: (repo: string, from: string, to: string) => string }[] = [
  // GitLab
  { commit: /^(.+)\/-\/commit\/[^/]+$/, compare: (repo, from, to) => `${repo}/-/compare/${from}...${to}` },
  // Bitbucket
  {
    commit: /^(https:\/\/bitbucket\.org\/.+)\/commits\/[^/]+$/,
    compare: (repo, from, to) => `${repo}/branches/compare/${to}..${from}`,
  },
  // Azure DevOps
  {
    commit: /^(.+\/_git\/[^/]+)\/commit\/[^/]+$/,
    compare: (repo, from, to) => `${repo}/branchCompare?baseVersion=GC${from}&targetVersion=GC${to}`,
  },
  // GitHub, and forges with its addresses
  { commit: /^(.+)\/commit\/[^/]+$/, compare: (repo, from, to) => `${repo}/compare/${from}...${to}` },
];

/**
 * URL of the forge's page that compares two commits. The forge is recognized by the URL of the later commit. Null for an
 * unknown forge or equal commits.
 */
export function compareAddress(commitUrl: string, from: string, to: string): string | null {
  if (from === to) return null;
  const address = commitUrl.replace(/[?#].*$/s, "").replace(/\/+$/, "");
  for (const { commit, compare } of FORGES) {
    const repo = commit.exec(address)?.[1];
    if (repo !== undefined) return compare(repo, encodeURIComponent(from), encodeURIComponent(to));
  }
  return null;
}
