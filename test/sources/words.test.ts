import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeTexts } from "./code-texts.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const sources = ["src/**/*.ts", "scripts/**/*.ts"];
const pages = [
  "docs/{,ci/}*.md",
  "actions/*/README.md",
  "README.md",
  ".github/*.md",
  ".github/workflows/*.yml",
];
const texts = globSync([...sources, ...pages], { cwd: root }).map((path) => ({ path, text: read(path) }));

/** Words of our own, by what the field calls it: `docs/glossary.md` has them. */
const RETIRED: readonly (readonly [RegExp, string])[] = [
  [/\bParcels?\b/i, "submission"],
  [/\bOccasions?\b/i, "request context"],
  [/\bStandings?\b/, "compliance status"],
  [/\bAppearances?\b/i, "artifact in flow"],
  [/\bSightings?\b/i, "running instance"],
  [/\b(un)?filed snapshot|\bfiling\b/i, "nothing"],
  [/\bTold</, "Result"],
  [/\bkeepingForLater\b|\bunlessUnavailable\b/, "withSpool, tolerateUnavailable"],
  [/\bwhat came of\b/i, "outcome"],
  [/\bwho looks\b/i, "reader"],
  [/\bat hand\b/i, "available"],
  [/\/\*\*\s+(\*\s+)?The same\b/, "what it is"],
];

/** Grammar that readers stumble over, and what pages write instead. */
const GRAMMAR: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[.!?] |\*\* )Of (?:an?|the|each|two|several|what|these|those)\b/, "the subject first"],
  [/(?:^|[.!?] |\*\* )(?:Whoever|So long|That which|Those that|At the latest)\b/, "the subject first"],
  [/\b(?:is|are|was|were|be|been) told\b|\btold of\b/i, "report, notify, receive"],
  [/\b(?:nobody|somebody|anew|hitherto)\b/i, "a caller, a user, no one, again"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\bis no [\w-]+:/i, "must be …, got …"],
  [/\bstands? (?:for|in|on|beside|at|there|still)\b/i, "is, means"],
  [/\bstays? shut\b/i, "stays closed"],
  [/\be-mails?\b/i, "email"],
  [/\b(?:colour|behaviour|favour|organisation)\b/i, "American spelling"],
];
/** Grammar of comments and messages that begin with a clause where a noun belongs, or use a word for everything. */
const CODE_GRAMMAR: readonly (readonly [RegExp, string])[] = [
  ...GRAMMAR,
  [/(?:^|[.!?] )(?:Who|Whose|What|How|Where|That) (?!if\b|is X)\w+(?!.*\?)/, "the noun"],
  [/\bstands?\b/i, "is, means"],
  [/\bholds? (?!the (?:lock|row)|a (?:lock|row|transaction)|up\b|back\b)/i, "applies, contains, keeps"],
  [/\bcomes? to\b/i, "reaches, becomes"],
];
/** Data that looks like prose. */
const NOT_PROSE = ["How the greeter is delivered"];
const FENCED = /^ *```[\s\S]*?^ *```$/gm;
const prose = globSync([...pages, "docs/**/*.md"], { cwd: root }).map((path) => ({
  path,
  text: read(path)
    .replace(FENCED, "")
    .replace(/`[^`\n]*`/g, "`code`"),
}));

test.each(GRAMMAR)("no page reads %s in place of: %s", (pattern) => {
  const found = prose.flatMap(({ path, text }) =>
    text
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

/** Strings of tests are data as often as sentences. */
const code = globSync([...sources, "test/**/*.ts"], { cwd: root }).flatMap((path) =>
  codeTexts(new URL(path, root), { strings: !path.startsWith("test/") }).map(({ line, text }) => ({
    at: `${path}:${line}`,
    text,
  })),
);

test.each(CODE_GRAMMAR)("no comment or message reads %s in place of: %s", (pattern) => {
  const found = code.filter(
    ({ text }) => pattern.test(text) && !NOT_PROSE.some((data) => text.includes(data)),
  );
  expect(found.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
});

test.each(RETIRED)("no source or page reads %s in place of: %s", (word) => {
  const found = texts.flatMap(({ path, text }) =>
    text
      .split("\n")
      .filter((line) => word.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
