import { expect, it } from "vitest";
import {
  type DeploymentFacts,
  deploymentFigures,
} from "../../../../src/service/runtime/trends/deployment-figures.ts";

const BUCKETS = [
  { start: 0, end: 10, isPartial: false },
  { start: 10, end: 20, isPartial: true },
];

function facts(more: Partial<DeploymentFacts>): DeploymentFacts {
  return {
    ...{ id: 1, environmentId: "e", fingerprint: "f", number: 2, deployedAt: 1, isCompliant: null },
    ...{ isInitial: false, previousStart: null, isCounted: true, hasProvenance: true, repoId: null },
    ...{ leadTime: "no_commit", buildLeadTime: "no_commit", review: "reviewed", isApproved: true },
    ...more,
  };
}

const leadTimes = (values: readonly DeploymentFacts["leadTime"][]) =>
  deploymentFigures(
    values.map((leadTime) => facts({ leadTime })),
    BUCKETS,
  )[0]?.leadTimeSeconds;

it("percentiles are nearest ranks, and few values have no 90th percentile", () => {
  expect(leadTimes([])).toEqual({ n: 0, median: null, p90: null });
  expect(leadTimes([4, 1, 3, 2])).toEqual({ n: 4, median: 2, p90: null });
  expect(leadTimes([5, 4, 1, 3, 2])).toEqual({ n: 5, median: 3, p90: 5 });
  expect(leadTimes([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])).toEqual({ n: 10, median: 5, p90: 9 });
});

it("unknown and negative lead times are not values", () => {
  expect(leadTimes(["negative", "no_commit", "redeployments", "initial", 7])).toMatchObject({
    n: 1,
    median: 7,
  });
});

it("figures cover only what counts as a deployment, in its bucket", () => {
  const [first, second] = deploymentFigures(
    [
      facts({ isInitial: true, isCounted: false, review: "unreviewed" }),
      facts({ isCounted: false, isApproved: false }),
      facts({ isCompliant: false, previousStart: 1, review: "unknown" }),
      facts({ deployedAt: 10, hasProvenance: false, review: "unreviewed", isApproved: false }),
    ],
    BUCKETS,
  );
  const none = { initial: 0, redeployments: 0, nonCompliant: 0, withoutProvenance: 0 };
  const known = { withoutReview: 0, unknownReview: 0, withoutApproval: 0 };
  expect(first?.deployments).toEqual({
    ...{ ...none, ...known, count: 1 },
    ...{ initial: 1, redeployments: 1, nonCompliant: 1, unknownReview: 1 },
  });
  expect(second?.deployments).toEqual({
    ...{ ...none, ...known, count: 1 },
    ...{ withoutProvenance: 1, withoutReview: 1, withoutApproval: 1 },
  });
});
