import { expect, it } from "vitest";
import { selectNames } from "../../src/evidence/name-selection.ts";

const byExpression = (...expressions: string[]) =>
  selectNames(
    {
      include: ["include", []],
      includeRegex: ["include-regex", expressions],
      exclude: ["exclude", []],
      excludeRegex: ["exclude-regex", []],
    },
    { things: "functions" },
  );

it("ends an expression that takes exponential time, and names it", () => {
  const { includes } = byExpression("^([a-z0-9]+-?)*prod$");
  expect(includes("payments-prod")).toBe(true);
  const long = "payments-settlement-reconciliation-staging-eu";
  expect(() => includes(long)).toThrow(
    `include-regex: '^([a-z0-9]+-?)*prod$' takes longer than a second on '${long}'`,
  );
});

it("takes the flags of RE2, and refuses what JavaScript would understand otherwise", () => {
  expect(["SHOP-web", "ci"].map(byExpression("(?i)^shop-").includes)).toEqual([true, false]);
  expect(byExpression("\\\\A").includes("\\A")).toBe(true);
  for (const [expression, foreign] of [
    ["^[[:alpha:]]+$", "[[:"],
    ["\\Ashop", "\\A"],
    ["^\\pL", "\\p"],
  ])
    expect(() => byExpression(expression ?? "")).toThrow(
      `include-regex: '${expression}' is not a regular expression: JavaScript has no ${foreign}`,
    );
});

it("compares thousands of names with little work", () => {
  const { includes } = byExpression("^shop-", "-prod$");
  const before = process.cpuUsage();
  for (let each = 0; each < 20_000; each++) includes(`namespace-${each % 2_000}`);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
});
