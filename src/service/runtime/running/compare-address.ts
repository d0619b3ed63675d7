/** How forges address a commit, and the page that shows what lies between two of them. */
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
  // GitHub, and forges that took its addresses over
  { commit: /^(.+)\/commit\/[^/]+$/, compare: (repo, from, to) => `${repo}/compare/${from}...${to}` },
];

/**
 * The page of a forge that shows what was committed after one commit and up to another, found by how the later
 * commit is addressed. Null when that tells no known forge, or there is nothing between the two.
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
