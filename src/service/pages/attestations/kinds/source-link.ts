/** How forges address a commit, and a line of a file as it was in it. */
const FORGES: readonly { commit: RegExp; file: (path: string, line: string) => string }[] = [
  {
    commit: /^(?<repo>https?:\/\/.+\/-)\/commit\/(?<sha>[0-9a-f]{7,64})$/,
    file: (path, line) => `blob/${path}#L${line}`,
  },
  {
    commit: /^(?<repo>https?:\/\/.+)\/commits\/(?<sha>[0-9a-f]{7,64})$/,
    file: (path, line) => `src/${path}#lines-${line}`,
  },
  {
    commit: /^(?<repo>https?:\/\/.+)\/commit\/(?<sha>[0-9a-f]{7,64})$/,
    file: (path, line) => `blob/${path}#L${line}`,
  },
];

/** Where GitHub, GitLab or Bitbucket shows a line of a file as it was at a commit, by the page of the commit. */
export function sourceLink(
  commitUrl: string | null | undefined,
  file: string,
  line: number | undefined,
): string | undefined {
  const steps = file.replace(/^\.\//, "").split("/");
  // An address, a path of a machine, or one that leads out of the repository is no file of the commit.
  if (file.includes(":") || steps.some((step) => ["", ".", ".."].includes(step))) return undefined;
  const path = steps.map(encodeURIComponent).join("/");
  for (const { commit, file: address } of FORGES) {
    const { repo, sha } = commit.exec(commitUrl ?? "")?.groups ?? {};
    if (repo === undefined) continue;
    const whole = `${repo}/${address(`${sha}/${path}`, String(line ?? ""))}`;
    return line === undefined ? whole.replace(/#.*$/, "") : whole;
  }
  return undefined;
}
