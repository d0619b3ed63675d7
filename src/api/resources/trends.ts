import * as z from "zod/mini";
import { recordId } from "../names.ts";
import { defineOperation, ETAG_HEADER, fileAnswer } from "../operation.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/* Figures of an organization over time. */

const MAX_SERIES = 50;
const names = z.optional(z.array(shortText.check(z.minLength(1))).check(z.maxLength(MAX_SERIES)));

/** Percentiles are nearest ranks, so each is one of the values. */
const times = z.looseObject({
  /** Number of deployments with a lead time. */
  n: z.int(),
  /** Median; null without values. */
  median: z.nullable(z.number()),
  /** 90th percentile; null for fewer than five values. */
  p90: z.nullable(z.number()),
});

const bucket = z.looseObject({
  /** Start in Unix seconds, inclusive. */
  start: z.number(),
  /** End in Unix seconds, exclusive. */
  end: z.number(),
  /** Whether the bucket goes on after the end of the figures. */
  is_partial: z.boolean(),
  /** Trails that began in the bucket, by their present state. */
  trails: z.optional(
    z.looseObject({
      /** Number of compliant ones. */
      compliant: z.int(),
      /** Number of non-compliant ones. */
      non_compliant: z.int(),
      /** Number of incomplete ones. */
      incomplete: z.int(),
    }),
  ),
  deployments: z.optional(
    z.looseObject({
      /** Deployments without the initial ones and without repeated runs of a job. */
      count: z.int(),
      /** Artifacts that already ran when the reports began. */
      initial: z.int(),
      /** Artifacts that ran in the environment before. */
      redeployments: z.int(),
      /** Not compliant at the start. */
      non_compliant: z.int(),
      /** Artifacts that no flow reported. */
      without_provenance: z.int(),
      /** No review before the deployment. */
      without_review: z.int(),
      /** Unknown whether there was a review. */
      unknown_review: z.int(),
      /** No approval and no compliant decision before the deployment. */
      without_approval: z.int(),
    }),
  ),
  /** From the commit to the first deployment in each environment, in seconds. */
  lead_time_seconds: z.optional(times),
  /** From the first report of the artifact, in seconds. */
  build_lead_time_seconds: z.optional(times),
  /** Time in which the environments were compliant, added up. Before the first report, no time counts. */
  compliant_seconds: z.optional(z.number()),
  /** Time in which the environments were not compliant, added up. */
  non_compliant_seconds: z.optional(z.number()),
  /** Time without policies, or without reports for more than 24 hours. */
  unknown_seconds: z.optional(z.number()),
  /** Decisions about the control. */
  decisions: z.optional(
    z.looseObject({
      /** Number of compliant ones. */
      compliant: z.int(),
      /** Number of non-compliant ones. */
      non_compliant: z.int(),
    }),
  ),
});
export type TrendBucket = Camel<z.infer<typeof bucket>>;

const series = z.looseObject({
  /** Subject of the figures. */
  scope: z.looseObject({
    type: z.enum(["organization", "flow", "environment", "control", "repo"]),
    name: z.string(),
  }),
  /** Number of physical environments that the figures cover. */
  environments: z.optional(z.int()),
  /** Figures by time, oldest first. */
  buckets: z.array(bucket),
});
export type TrendSeries = Camel<z.infer<typeof series>>;

/** `trails`, `deployments` with their lead times, `states` of environments in seconds, and `decisions`. */
const figures = z.enum(["trails", "deployments", "states", "decisions"]);
export type TrendFigures = z.infer<typeof figures>;

const query = z.object({
  /** Names of flows. */
  flow: names,
  /** Names of environments. A logical environment means its members. */
  env: names,
  /**
   * Identifiers of controls. Then only decisions about these count as approvals.
   */
  control: names,
  /** IDs that the service gave the repositories. */
  repo: z.optional(z.array(recordId).check(z.maxLength(MAX_SERIES))),
  /** Tags as `key:value`, or `key` for any value: all figures cover only environments with all of them. */
  env_tag: names,
  /** Tags as `key:value`, or `key` for any value: trails and deployments are those of flows with all of them. */
  flow_tag: names,
  /** Start in ISO 8601 (UTC without a zone) or Unix seconds. The first bucket contains it. */
  from: z.optional(shortText),
  /** End in ISO 8601 (UTC without a zone) or Unix seconds. Default: now. */
  to: z.optional(shortText),
  /** Number of weeks, instead of `from`. Default: 12. */
  weeks: z.optional(z.int().check(z.minimum(1), z.maximum(104))),
  /** Weeks begin on Monday. */
  bucket: z._default(z.enum(["day", "week", "month"]), "week"),
  /** Time zone of the buckets, such as `Europe/Berlin`. */
  tz: z._default(shortText, "UTC"),
  /** Kinds of figures, of which the others are absent. Default: all. */
  figures: z.optional(z.array(figures).check(z.minLength(1))),
});

const readsTrends = {
  access: "read",
  reach: { list: { flows: "flow", environments: "env" } },
  heavy: true,
  query,
  answerHeaders: [ETAG_HEADER],
  errors: { 404: "No such flow, environment, control or repository" },
} as const;

/**
 * Returns figures by week, day or month: for the organization, and for each flow, environment, control and repository
 * that the request names. Figures that a series cannot have are absent. Reviews and approvals count only if they were
 * before the deployment.
 *
 * `If-None-Match` with the `ETag` of a former response returns 304 if no figure has changed. Figures up to now change
 * with the time, so give `to` as well.
 *
 * @example
 * const { body } = await client.getTrends({ envTag: ["tier:production"], weeks: 52 });
 */
export const getTrends = defineOperation({
  ...readsTrends,
  name: "getTrends",
  summary: "Get trends",
  route: "GET /trends/{org}",
  responses: {
    200: z.looseObject({
      from: z.number(),
      to: z.number(),
      /** Length of the buckets. */
      bucket: z.string(),
      /** Time zone of the buckets. */
      tz: z.string(),
      /** Time of the response, in Unix seconds. */
      generated_at: z.number(),
      /** The organization first, then flows, environments, controls and repositories as requested. */
      series: z.array(series),
    }),
  },
});

/** Returns the figures of `getTrends` as CSV, one line for each bucket of each series. Times are in UTC. */
export const getTrendsCsv = defineOperation({
  ...readsTrends,
  name: "getTrendsCsv",
  summary: "Download trends",
  route: "GET /trends/{org}/csv",
  responses: { 200: fileAnswer },
});
