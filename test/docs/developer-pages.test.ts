import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Page, pages, root } from "./pages.ts";

const FOR_DEVELOPERS = [".github/CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md"];
const developerPages = pages.filter(({ path }) => FOR_DEVELOPERS.includes(path));
const [contributing, architecture, glossary] = FOR_DEVELOPERS.map(
  (path) => pages.find((page) => page.path === path) as Page,
);

/** Texts in backticks, in the order of the page. */
function codeIn({ text }: Page): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

const sources = globSync("src/**/*.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
const code = sources.map((path) => readFileSync(root + path, "utf8")).join("\n");

test.each(developerPages.map((page) => [page.path, page] as const))(
  "the files that %s names exist",
  (_, page) => {
    const named = codeIn(page).filter(
      (text) => /^[\w.-]+(\/[\w.-]+)*\/?$/.test(text) && /\/|\.ts$/.test(text),
    );
    expect(named.length).toBeGreaterThan(0);
    const isThere = (path: string) =>
      existsSync(root + path) || sources.some((source) => `/${source}`.includes(`/${path}`));
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  },
);

test("the commands of the guide are those of the package", () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const named = codeIn(contributing as Page).flatMap((text) => /^npm run ([\w:-]+)/.exec(text)?.[1] ?? []);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});

test("the architecture page describes every folder of the service", () => {
  const folders = readdirSync(`${root}src/service`, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const named = new Set(codeIn(architecture as Page));
  expect(folders.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
});

test("names in the glossary are those of the code", () => {
  const rows = (glossary as Page).text.split("\n").flatMap((line) => /\|([^|]*)\|$/.exec(line)?.[1] ?? []);
  const names = rows.flatMap((cell) => [...cell.matchAll(/`([A-Za-z]+)(…?)`/g)]);
  expect(names.length).toBeGreaterThan(40);
  const isInCode = (name: string, isStart: boolean) =>
    new RegExp(`(?<![A-Za-z])${name}${isStart ? "" : "(?![A-Za-z])"}`).test(code);
  const missing = names.filter(([, name = "", more]) => !isInCode(name, more !== ""));
  expect(missing.map(([name]) => name)).toEqual([]);
});
