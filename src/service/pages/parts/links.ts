import type { Crumb, PageRequest } from "../page.ts";
import type { Paths } from "../paths.ts";
import type { Viewer } from "../viewers.ts";
import { type Html, html, link, shortText } from "./html.ts";

type MakeLink = (href: string, name: string) => Html;

/** Breadcrumbs of a list and of a record in it. */
export function crumbs(to: Paths, list: string, step: string, thing: string): readonly Crumb[] {
  return [
    [list, to.page(step)],
    [thing, to.page(step, thing)],
  ];
}

/** A link if the viewer may follow it, else its name. */
export function linkIf(isAllowed: boolean, href: string, name: string): Html {
  return isAllowed ? link(href, name) : shortText(name);
}

/** Links to other pages of the organization. Viewers of a share link, who may see one page, get names without links. */
export function linkFor(viewer: Viewer): MakeLink {
  return (href, name) => linkIf(viewer.kind !== "share", href, name);
}

/** Table cells with the links of {@link linkFor}. */
export function linkCellFor(viewer: Viewer) {
  return (href: string, name: string) => ({ html: linkFor(viewer)(href, name), csv: name });
}

/** Links to pages of an environment. A caller may see its name without having access to it. */
export function environmentLink(envName: string, { mayOpen }: PageRequest): MakeLink {
  return (href, name) => linkIf(mayOpen("getEnvironment", { envName }), href, name);
}

const GUIDES = "https://github.com/delivery-evidence/toolkit/blob/main/docs";

/** A link to a page of the documentation. */
export function guideLink(page: string, label: string): Html {
  return html`<a href="${GUIDES}/${page}.md" rel="noreferrer noopener">${label}</a>`;
}

/** URL formats of forges for a commit, a line of a file at a commit, and a comparison of two commits. */
const FORGES: readonly {
  commit: RegExp;
  file: (path: string, line: string) => string;
  compare: (from: string, to: string) => string;
}[] = [
  {
    commit: /^(?<repo>https?:\/\/.+\/-)\/commit\/(?<sha>[0-9a-f]{7,64})$/,
    file: (path, line) => `blob/${path}#L${line}`,
    compare: (from, to) => `compare/${from}...${to}`,
  },
  {
    commit: /^(?<repo>https?:\/\/.+)\/commits\/(?<sha>[0-9a-f]{7,64})$/,
    file: (path, line) => `src/${path}#lines-${line}`,
    compare: (from, to) => `branches/compare/${to}..${from}`,
  },
  {
    commit: /^(?<repo>https?:\/\/.+)\/commit\/(?<sha>[0-9a-f]{7,64})$/,
    file: (path, line) => `blob/${path}#L${line}`,
    compare: (from, to) => `compare/${from}...${to}`,
  },
];

/** URL of a file's line at a commit on GitHub, GitLab or Bitbucket, from the URL of the commit. */
export function sourceLink(
  commitUrl: string | null | undefined,
  file: string,
  line: number | undefined,
): string | undefined {
  const steps = file.replace(/^\.\//, "").split("/");
  // URLs, absolute paths and paths that leave the repository are not files of the commit.
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

/** URL on GitHub, GitLab or Bitbucket that compares two commits of one repository, from the URLs of the commits. */
export function compareLink(from: string, to: string): string | undefined {
  for (const { commit, compare } of FORGES) {
    const [one, other] = [commit.exec(from)?.groups, commit.exec(to)?.groups];
    if (one === undefined || other === undefined || one["repo"] !== other["repo"]) continue;
    return `${one["repo"]}/${compare(one["sha"] ?? "", other["sha"] ?? "")}`;
  }
  return undefined;
}
