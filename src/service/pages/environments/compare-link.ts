/** Where a forge shows a commit, and where it shows what changed between two. */
const FORGES: readonly { commit: RegExp; compare: (from: string, to: string) => string }[] = [
  {
    commit: /^(?<repo>.+\/-)\/commit\/(?<sha>[0-9a-f]{7,64})$/,
    compare: (from, to) => `/compare/${from}...${to}`,
  },
  {
    commit: /^(?<repo>.+)\/commits\/(?<sha>[0-9a-f]{7,64})$/,
    compare: (from, to) => `/branches/compare/${to}..${from}`,
  },
  {
    commit: /^(?<repo>.+)\/commit\/(?<sha>[0-9a-f]{7,64})$/,
    compare: (from, to) => `/compare/${from}...${to}`,
  },
];

/** The page of GitHub, GitLab or Bitbucket that compares two commits of one repository, by the pages of the commits. */
export function compareLink(from: string, to: string): string | undefined {
  for (const { commit, compare } of FORGES) {
    const [one, other] = [commit.exec(from)?.groups, commit.exec(to)?.groups];
    if (one === undefined || other === undefined || one["repo"] !== other["repo"]) continue;
    return `${one["repo"]}${compare(one["sha"] ?? "", other["sha"] ?? "")}`;
  }
  return undefined;
}
