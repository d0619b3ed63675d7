import { expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { ROLES } from "../../src/api/resources/service-accounts.ts";
import { policyFile } from "../../src/service/judging/policies/policy-file-schema.ts";
import { proseOf, tablesOf } from "./pages.ts";
import { pageNamed, sectionOf } from "./reference-pages.ts";

const page = pageNamed("docs/comparison.md");

test("docs/comparison.md is dated and has no superlatives", () => {
  expect(page.text).toMatch(
    /as of (January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d\./,
  );
  const superlatives = /\b(best|fastest|easiest|leading|only solution|unique|superior|most \w+)\b/i;
  expect(superlatives.exec(proseOf(page))?.[0]).toBeUndefined();
});

test("docs/comparison.md compares with three others, each with a section that links to its source", () => {
  const [table] = tablesOf(page);
  const others = table?.header.slice(2) ?? [];
  expect(others).toHaveLength(3);
  for (const other of others) expect(sectionOf(page, other).text).toMatch(/\]\(https:\/\//);
  expect(table?.rows.filter((row) => row.length !== 5 || row.includes(""))).toEqual([]);
});

test("statements of docs/comparison.md about this toolkit are true", () => {
  expect(packageFile.license).toBe("MIT");
  const rules = { provenance: { must_meet: "${{ artifact.origin == 'verified' }}" }, flows: ["web"] };
  const policy = { _schema: "https://evidence.example.com/v1", artifacts: rules };
  expect(policyFile.safeParse(policy).success).toBe(true);
  expect(ROLES).toEqual(expect.arrayContaining(["attester", "approver", "auditor"]));
});
