import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { newestRelease } from "../../scripts/release/newest-release.ts";
import type { NamedText } from "../workflows/workflow-files.ts";

/** The root of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** A page that users read. */
export interface Page {
  /** Relative to the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every page: the README, one for each action, and those beside the workflows. */
export const pages: readonly Page[] = [
  ...new Set(
    globSync(["README.md", "actions/*/README.md", ".github/*.md", "docs/{,ci/}*.md"], { cwd: root }),
  ),
]
  .map((path) => path.replaceAll("\\", "/"))
  .sort()
  .map((path) => ({ path, text: readFileSync(root + path, "utf8") }));

export interface Block extends NamedText {
  /** The word behind the fence, such as `yaml`. */
  readonly language: string;
}

const PIN = `@${newestRelease.commit} # ${newestRelease.version}`;

/** Text of later examples in place of the pin of the first one. */
const AS_ABOVE = new RegExp(`(?<=\\buses: ${newestRelease.repository}[\\w./-]*)@… # as above$`, "gm");

/** A text with the pin in each place that refers to it. */
export function pinned(text: string): string {
  return text.replace(AS_ABOVE, PIN);
}

/** A fenced block. Its lines are indented by as much as its fences. */
const FENCED = /^([ \t]*)```(\w*)\n([\s\S]*?)^\1```$/gm;

/** The blocks of code of a page, named by the page and the line they begin in, with the pin of the page. */
export function blocksOf({ path, text }: Page): Block[] {
  return [...text.matchAll(FENCED)].map(({ 1: indent = "", 2: language = "", 3: body = "", index }) => ({
    name: `${path}:${text.slice(0, index).split("\n").length}`,
    language,
    text: pinned(body.replace(new RegExp(`^${indent}`, "gm"), "")),
  }));
}

/** Every block of one language, in all pages. */
export function allBlocks(language: string): Block[] {
  return pages.flatMap(blocksOf).filter((block) => block.language === language);
}

/** The text of a page outside of its blocks of code. */
export function proseOf({ text }: Page): string {
  return text.replace(FENCED, "");
}

export interface Table {
  /** The page, and the first line as far as there is prose. */
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The tables of a page. */
export function tablesOf(page: Page): Table[] {
  const tables = proseOf(page).matchAll(/^(\|.*\|)\n\|[ :|-]+\|\n((?:\|.*\|\n?)*)/gm);
  return [...tables].map(([, header = "", body = ""]) => ({
    name: `${page.path}, the table that begins with ${header}`,
    header: cellsOf(header),
    rows: body.split("\n").filter(Boolean).map(cellsOf),
  }));
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** The texts between backticks. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}
