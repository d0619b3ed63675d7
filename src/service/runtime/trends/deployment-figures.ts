import type { TrendBucket } from "../../../api/resources/trends.ts";
import type { LeadTime } from "../running/builds.ts";
import type { Deployment } from "../running/deployments.ts";
import { type Bucket, placeIn } from "./buckets.ts";

/** Facts about a deployment that trends count. */
export interface DeploymentFacts extends Deployment {
  /** Whether it counts for the frequency. */
  isCounted: boolean;
  hasProvenance: boolean;
  /** Internal id of the repository of its build. */
  repoId: string | null;
  leadTime: LeadTime;
  buildLeadTime: LeadTime;
  review: "reviewed" | "unreviewed" | "unknown";
  isApproved: boolean;
}

type Figures = Required<Pick<TrendBucket, "deployments" | "leadTimeSeconds" | "buildLeadTimeSeconds">>;

/** Values below this number have no 90th percentile. */
const MIN_VALUES = 5;

export function deploymentFigures(all: readonly DeploymentFacts[], buckets: readonly Bucket[]): Figures[] {
  const inBucket = Map.groupBy(all, ({ deployedAt }) => placeIn(buckets, deployedAt));
  return buckets.map((_, place) => figuresOf(inBucket.get(place) ?? []));
}

function figuresOf(all: readonly DeploymentFacts[]): Figures {
  const counted = all.filter(({ isCounted }) => isCounted);
  const count = (matches: (facts: DeploymentFacts) => boolean) => counted.filter(matches).length;
  return {
    deployments: {
      count: counted.length,
      initial: all.filter(({ isInitial }) => isInitial).length,
      redeployments: count(({ previousStart }) => previousStart !== null),
      nonCompliant: count(({ isCompliant }) => isCompliant === false),
      withoutProvenance: count(({ hasProvenance }) => !hasProvenance),
      withoutReview: count(({ review }) => review === "unreviewed"),
      unknownReview: count(({ review }) => review === "unknown"),
      withoutApproval: count(({ isApproved }) => !isApproved),
    },
    leadTimeSeconds: percentiles(all.map(({ leadTime }) => leadTime)),
    buildLeadTimeSeconds: percentiles(all.map(({ buildLeadTime }) => buildLeadTime)),
  };
}

function percentiles(times: readonly LeadTime[]): Figures["leadTimeSeconds"] {
  const sorted = times.filter((time) => typeof time === "number").sort((a, b) => a - b);
  const nearestRank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
  const n = sorted.length;
  return { n, median: nearestRank(0.5), p90: n < MIN_VALUES ? null : nearestRank(0.9) };
}
