import { expect } from "vitest";
import { type Block, blocksOf, type Page, pages } from "./pages.ts";

/** @throws an assertion error for an unknown page */
export function pageNamed(path: string): Page {
  return pages.find((page) => page.path === path) ?? expect.fail(`there is no page ${path}`);
}

/** The part of a page from a heading to the next heading of the same or a higher level. */
export function sectionOf({ path, text }: Page, heading: string): Page {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.replace(/^#+ /, "") === heading && line.startsWith("#"));
  if (start < 0) expect.fail(`${path} has no heading '${heading}'`);
  const level = /^#+/.exec(lines[start] ?? "")?.[0].length ?? 0;
  const length = lines.slice(start + 1).findIndex((line) => isHeading(line, level));
  return { path, text: lines.slice(start, length < 0 ? undefined : start + 1 + length).join("\n") };
}

function isHeading(line: string, level: number): boolean {
  const signs = /^(#+) /.exec(line)?.[1];
  return signs !== undefined && signs.length <= level;
}

/** The first block of a language in a section. */
export function blockIn(page: Page, heading: string, language: string): Block {
  const found = blocksOf(sectionOf(page, heading)).find((block) => block.language === language);
  return found ?? expect.fail(`${page.path} has no ${language} block below '${heading}'`);
}
