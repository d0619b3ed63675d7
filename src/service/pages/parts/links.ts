import type { Crumb, PageRequest } from "../page.ts";
import type { Paths } from "../paths.ts";
import type { Viewer } from "../viewers.ts";
import { type Html, link, text } from "./html.ts";

type MakeLink = (href: string, name: string) => Html;

/** The crumbs of a list and of a thing in it. */
export function crumbs(to: Paths, list: string, step: string, thing: string): readonly Crumb[] {
  return [
    [list, to.page(step)],
    [thing, to.page(step, thing)],
  ];
}

/** A link if the viewer may follow it, else its name. */
export function linkIf(isAllowed: boolean, href: string, name: string): Html {
  return isAllowed ? link(href, name) : text(name);
}

/** Links to other pages of the organization: names alone for the viewer of a share link, who may see one page. */
export function linkFor(viewer: Viewer): MakeLink {
  return (href, name) => linkIf(viewer.kind !== "share", href, name);
}

/** Cells of a table that {@link linkFor} links. */
export function linkCellFor(viewer: Viewer) {
  return (href: string, name: string) => ({ html: linkFor(viewer)(href, name), csv: name });
}

/** Links to pages of an environment, whose name may be known to a caller without a right to it. */
export function environmentLink(envName: string, { viewer, may }: PageRequest): MakeLink {
  return (href, name) => linkIf(viewer.kind !== "share" && may("getEnvironment", { envName }), href, name);
}

/** How forges address a commit, a line of a file as it was in it, and what changed between two commits. */
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

/** The page of GitHub, GitLab or Bitbucket that compares two commits of one repository, by the pages of the commits. */
export function compareLink(from: string, to: string): string | undefined {
  for (const { commit, compare } of FORGES) {
    const [one, other] = [commit.exec(from)?.groups, commit.exec(to)?.groups];
    if (one === undefined || other === undefined || one["repo"] !== other["repo"]) continue;
    return `${one["repo"]}/${compare(one["sha"] ?? "", other["sha"] ?? "")}`;
  }
  return undefined;
}
