import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gatePassed,
  hasPullRequest,
  issuesExist,
  nothingFound,
  testsPassed,
} from "../../../../src/service/judging/compliance/verdicts.ts";

const count = fc.nat({ max: 3 });

describe("the compliance of each kind of result", () => {
  it("tests passed when some ran and no failures or errors are counted", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ failures: count, errors: count })), (suites) => {
        const wrong = suites.reduce((sum, { failures, errors }) => sum + failures + errors, 0);
        expect(testsPassed(suites)).toBe(suites.length > 0 && wrong === 0);
      }),
    );
  });

  it("a scan found nothing when every count is zero; an empty list of projects passes too", () => {
    const counts = fc.record({ lowCount: count, mediumCount: count, highCount: count });
    fc.assert(
      fc.property(fc.array(counts), (projects) => {
        const found = projects.reduce((sum, p) => sum + p.lowCount + p.mediumCount + p.highCount, 0);
        expect(nothingFound(projects)).toBe(found === 0);
      }),
    );
  });

  it.each([
    [[{ failures: 0, errors: 0 }], true],
    [[{ failures: 1, errors: 0 }], false],
    [[{ failures: 0, errors: 1 }], false],
    [[{ failures: 1, errors: 1 }], false],
  ])("tests %j: %s", (suites, passed) => {
    expect(testsPassed(suites)).toBe(passed);
  });

  it.each([
    [{ lowCount: 0, mediumCount: 0, highCount: 0 }, true],
    [{ lowCount: 1, mediumCount: 0, highCount: 0 }, false],
    [{ lowCount: 0, mediumCount: 1, highCount: 0 }, false],
    [{ lowCount: 0, mediumCount: 0, highCount: 1 }, false],
    [{ lowCount: 1, mediumCount: 1, highCount: 0 }, false],
    [{ lowCount: 1, mediumCount: 0, highCount: 1 }, false],
  ])("scan %j: %s", (project, clean) => {
    expect(nothingFound([project])).toBe(clean);
  });

  it.each([
    [[], false],
    [[{ issueExists: true }], true],
    [[{ issueExists: true }, { issueExists: false }], false],
  ])("issues %j: %s", (issues, exist) => {
    expect(issuesExist(issues)).toBe(exist);
  });

  it("one pull request is enough", () => {
    expect([hasPullRequest([]), hasPullRequest([{ state: "CLOSED" }])]).toEqual([false, true]);
  });

  it.each([
    [{ qualityGate: { status: "OK" } }, true],
    [{ qualityGate: { status: "ERROR" } }, false],
    [{ qualityGate: null }, false],
    [{}, false],
  ])("quality gate %j: %s", (results, passed) => {
    expect(gatePassed(results)).toBe(passed);
  });
});
