import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const sources = ["src/**/*.ts", "scripts/**/*.ts"];
const pages = ["docs/*.md", "actions/*/README.md", "README.md", ".github/*.md", ".github/workflows/*.yml"];
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

test.each(RETIRED)("nobody reads %s where the field says: %s", (word) => {
  const found = texts.flatMap(({ path, text }) =>
    text
      .split("\n")
      .filter((line) => word.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
