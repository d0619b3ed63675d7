import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { type Page, pages, proseOf, root } from "./pages.ts";

/** The raw targets of a page's links within the repository. */
function linksOf(page: Page): string[] {
  const links = [...proseOf(page).matchAll(/\]\(<?([^)>\s]+)>?\)/g)].map(([, target = ""]) => target);
  return links.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchor that GitHub gives a heading: without punctuation, a hyphen for each blank. */
function anchorsOf(page: Page): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const headings = [...proseOf(page).matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) => {
      const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
      const anchor = plain
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-");
      const before = counts.get(anchor) ?? 0;
      counts.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

/** Undefined when the target exists. */
function brokenLink(page: Page, link: string): string | undefined {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page.path : posix.join(posix.dirname(page.path), path);
  if (!existsSync(root + target)) return `${link}: there is no ${target}`;
  if (anchor === undefined) return undefined;
  const linked = pages.find((other) => other.path === target);
  if (linked === undefined) return `${link}: ${target} is no page`;
  return anchorsOf(linked).has(anchor) ? undefined : `${link}: ${target} has no such heading`;
}

test.each(pages.map((page) => [page.path, page] as const))("every link of %s has a target", (_, page) => {
  expect(linksOf(page).flatMap((link) => brokenLink(page, link) ?? [])).toEqual([]);
});

test("the links of a page are found", () => {
  const page = {
    path: "README.md",
    text: "# A `b`: c\n## A b c\n[x](#a-b-c-1), [y](#nowhere), [z](gone.md)\n",
  };
  expect(linksOf(page)).toEqual(["#a-b-c-1", "#nowhere", "gone.md"]);
  expect([...anchorsOf(page)]).toEqual(["a-b-c", "a-b-c-1"]);
});

/** Pages that link to all pages of a folder below theirs, in place of the README. */
const OVERVIEWS: Readonly<Record<string, string>> = { "docs/ci": "docs/other-ci.md" };

test("the README links to every page, or an overview does", () => {
  const targetsOf = (overview: string) => {
    const page = pages.find(({ path }) => path === overview) ?? expect.fail(`there is no ${overview}`);
    return linksOf(page).map((link) => posix.join(posix.dirname(overview), link.replace(/#.*$/, "")));
  };
  const links = new Map(["README.md", ...Object.values(OVERVIEWS)].map((path) => [path, targetsOf(path)]));
  const others = pages.map(({ path }) => path).filter((path) => path !== "README.md");
  const overviewOf = (path: string) => OVERVIEWS[posix.dirname(path)] ?? "README.md";
  expect(others.filter((path) => !links.get(overviewOf(path))?.includes(path))).toEqual([]);
});

test("there are pages, each of them a file", () => {
  expect(pages.filter(({ path }) => !statSync(root + path).isFile())).toEqual([]);
  expect(pages.length).toBeGreaterThan(10);
});
