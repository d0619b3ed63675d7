import { expect, test } from "vitest";
import type { Change } from "../../../src/actions/running-commit/changes.ts";
import type { Findings } from "../../../src/actions/running-commit/findings.ts";
import type { Query } from "../../../src/actions/running-commit/query.ts";
import { querySummary } from "../../../src/actions/running-commit/summary.ts";
import { comparisonText, reviewersText } from "../../../src/actions/running-commit/words.ts";
import { renderSummary } from "../../../src/github/step/summary.ts";

const query: Query = {
  flow: "web",
  environment: "production",
  gitHubEnvironment: "live",
  candidate: "b".repeat(40),
  running: "a".repeat(40),
  comparison: { status: "ahead", aheadBy: 40, commits: [], complete: true },
};

function findings(changes: readonly Change[]): Findings {
  return { changes, candidateEvidence: { state: "COMPLIANT" }, protection: undefined };
}

test("many commits fit on one screen, with counts of the evidence of the rest", () => {
  const changes = Array.from(
    { length: 40 },
    (_, index): Change => ({
      commit: { sha: String(index).padStart(40, "0"), subject: "s".repeat(200) },
      evidence: { state: index < 39 ? "COMPLIANT" : "NONE" },
    }),
  );
  const summary = querySummary(query, findings(changes));
  const rows = summary.tables?.[0]?.rows ?? [];
  expect(rows).toHaveLength(9);
  expect(rows[0]?.[1]).toHaveLength(70);
  expect(rows.at(-1)).toEqual(["…", "32 more", "", "", "31 compliant, 1 no trail"]);
  expect(renderSummary(summary)).toContain("| … | 32 more |");
});

test("a commit without a pull request differs from one with an unknown pull request", () => {
  const commit = { sha: "c".repeat(40), subject: "x", author: "Ada Example" };
  const evidence = { state: "NON-COMPLIANT" } as const;
  const rows = querySummary(
    query,
    findings([
      { commit, pullRequests: [], evidence },
      { commit, evidence },
    ]),
  );
  expect(rows.tables?.[0]?.rows.map(([, , author, pullRequest]) => [author, pullRequest])).toEqual([
    ["Ada Example", "none"],
    ["Ada Example", "unknown"],
  ]);
});

test.each([
  [{ status: "same" }, "same: the candidate is already running"],
  [{ status: "ahead", aheadBy: 1 }, "ahead: adds 1 commit"],
  [{ status: "behind", behindBy: 3 }, "behind: reverts 3 commits"],
  [{ status: "diverged", aheadBy: 2, behindBy: 1 }, "diverged: adds 2 commits and reverts 1 commit"],
  [{ status: "ahead" }, "ahead: adds commits"],
  [{ status: "unknown" }, "unknown"],
] as const)("%j shows what it means for a deployment", (comparison, text) => {
  expect(comparisonText({ commits: [], complete: true, ...comparison })).toBe(text);
});

test("required reviewers follow GitHub's settings", () => {
  const noReviewers = { reviewers: [], preventsSelfReview: true, waitMinutes: 0 };
  expect(reviewersText(undefined)).toBe("unknown");
  expect(reviewersText(noReviewers)).toBe("none: the environment has no required reviewers");
  expect(reviewersText({ ...noReviewers, waitMinutes: 5, reviewers: [{ type: "user", name: "ada" }] })).toBe(
    "ada, not the person who started the run, after 5 minutes",
  );
});
