import type { TrendBucket, TrendSeries } from "../../../api/resources/trends.ts";
import { csvLine } from "../../kernel/csv-text.ts";

/** Figures of a bucket, by column. A series without a figure has an empty field. */
const FIGURES: Readonly<Record<string, (bucket: TrendBucket) => number | null | undefined>> = {
  trails_compliant: ({ trails }) => trails?.compliant,
  trails_non_compliant: ({ trails }) => trails?.nonCompliant,
  trails_incomplete: ({ trails }) => trails?.incomplete,
  deployments: ({ deployments }) => deployments?.count,
  deployments_initial: ({ deployments }) => deployments?.initial,
  deployments_redeployments: ({ deployments }) => deployments?.redeployments,
  deployments_non_compliant: ({ deployments }) => deployments?.nonCompliant,
  deployments_without_provenance: ({ deployments }) => deployments?.withoutProvenance,
  deployments_without_review: ({ deployments }) => deployments?.withoutReview,
  deployments_unknown_review: ({ deployments }) => deployments?.unknownReview,
  deployments_without_approval: ({ deployments }) => deployments?.withoutApproval,
  lead_time_n: ({ leadTimeSeconds }) => leadTimeSeconds?.n,
  lead_time_median_seconds: ({ leadTimeSeconds }) => leadTimeSeconds?.median,
  lead_time_p90_seconds: ({ leadTimeSeconds }) => leadTimeSeconds?.p90,
  build_lead_time_n: ({ buildLeadTimeSeconds }) => buildLeadTimeSeconds?.n,
  build_lead_time_median_seconds: ({ buildLeadTimeSeconds }) => buildLeadTimeSeconds?.median,
  build_lead_time_p90_seconds: ({ buildLeadTimeSeconds }) => buildLeadTimeSeconds?.p90,
  compliant_seconds: ({ compliantSeconds }) => compliantSeconds,
  non_compliant_seconds: ({ nonCompliantSeconds }) => nonCompliantSeconds,
  unknown_seconds: ({ unknownSeconds }) => unknownSeconds,
  decisions_compliant: ({ decisions }) => decisions?.compliant,
  decisions_non_compliant: ({ decisions }) => decisions?.nonCompliant,
};

/** One line for each bucket of each series. */
export function trendsCsv(series: readonly TrendSeries[]): string {
  const lines = series.flatMap(({ scope, buckets }) =>
    buckets.map((bucket) => [
      ...[scope.type, scope.name, iso(bucket.start), iso(bucket.end), bucket.isPartial],
      ...Object.values(FIGURES).map((figureOf) => figureOf(bucket) ?? null),
    ]),
  );
  const columns = ["scope_type", "scope", "start", "end", "is_partial", ...Object.keys(FIGURES)];
  return [columns, ...lines].map(csvLine).join("");
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
