import * as z from "zod/mini";
import { fingerprintPrefix, recordId, reference } from "../names.ts";
import { defineOperation, insideEnvironment, readsEnvironment, readsOrganization } from "../operation.ts";
import { countedItemsPerPage, itemsPerPage, pageFields, pageNumber, pageOf } from "../paging.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";
import { deploymentDiff } from "./snapshots.ts";
import { MAX_TAGS } from "./tags.ts";

/* Deployments: artifacts that started to run, as the snapshots of environments show. */

const time = z.nullish(z.number());
const text = z.nullish(z.string());

/** `unknown` without a trail, or if the attestation does not name the author of the pull request. */
const reviewState = z.enum(["reviewed", "unreviewed", "unknown"]);

/** `by_author` if an approver has the name of the author of the build's commit. */
const approvalState = z.enum(["approved", "unapproved", "by_author"]);

/** Largest random sample of deployments. */
export const MAX_SAMPLE = 200;

const deployment = z.looseObject({
  id: z.string(),
  environment_name: z.string(),
  /** Type of the environment. */
  environment_type: z.string(),
  /** Number of the first snapshot with the artifact. */
  snapshot_index: z.int(),
  artifact_name: z.string(),
  fingerprint: z.string(),
  /** Time of that snapshot, in Unix seconds. The artifact started at most one report earlier. */
  deployed_at: z.number(),
  /** Creation of its oldest instance, in Unix seconds. For files and functions, their own time. */
  running_since: time,
  /** Compliance at the start; null without policies. */
  is_compliant: z.nullish(z.boolean()),
  /** `COMPLIANT` or `NON-COMPLIANT`; null without policies. */
  compliance_state: text,
  /** Whether a flow reported the artifact. */
  has_provenance: z.boolean(),
  /** Whether the artifact already ran when the reports began. */
  is_initial: z.boolean(),
  /** Whether the artifact ran in the environment before, such as after a rollback. */
  is_redeployment: z.boolean(),
  /** Flow of the build: the first report with a repository, otherwise the first report. */
  flow_name: text,
  trail_name: text,
  template_reference_name: text,
  git_commit: text,
  commit_url: text,
  git_commit_info: z.nullish(z.record(z.string(), z.unknown())),
  /** Name of the repository. */
  repo_name: text,
  /** ID that the service gave the repository. */
  repo_inner_id: text,
  /** Names of all flows that reported the artifact. */
  flows: z.nullish(z.array(z.string())),
  /**
   * Seconds from the commit to the deployment. Lead times are null if unknown or negative, and for artifacts that ran
   * in the environment before.
   */
  lead_time_seconds: time,
  /** Seconds from the first report of the artifact to the deployment. */
  build_lead_time_seconds: time,
  /** Seconds from the oldest commit of the attested pull requests to the deployment. */
  change_lead_time_seconds: time,
  /** Review of the build's pull requests before the deployment. */
  review: reviewState,
  /** Approvers of these pull requests, without their authors. */
  reviewed_by: z.array(z.string()),
  /** Approvers before the deployment: the reviewers of the last approval, and the accounts of compliant decisions. */
  approved_by: z.array(z.string()),
  /** The artifact that it replaced. */
  replaced: z.nullish(deploymentDiff),
  /** End in Unix seconds; null while it runs. */
  ended_at: time,
  _links: z.nullish(z.record(z.string(), z.unknown())),
});
export type Deployment = Camel<z.infer<typeof deployment>>;

const start = z.looseObject({
  /** Time of the snapshot, in Unix seconds. */
  deployed_at: z.number(),
  snapshot_index: z.int(),
  ended_at: time,
});

const MAX_NAMES = 100;
const names = z.array(shortText.check(z.minLength(1))).check(z.maxLength(MAX_NAMES));

const window = {
  /** Start in Unix seconds, inclusive. Default: 28 days before the end. */
  start_ts: z.optional(z.number()),
  /** End in Unix seconds, inclusive. Default: now. */
  end_ts: z.optional(z.number()),
};

/** Lists the deployments to the environment, newest first. A logical environment has those of its members. */
export const listEnvironmentDeployments = defineOperation({
  ...readsEnvironment,
  name: "listEnvironmentDeployments",
  summary: "List the deployments to an environment",
  route: "GET /environments/{org}/{env_name}/deployments",
  params: z.object({ env_name: reference }),
  query: z.object({
    page: z._default(pageNumber, 1),
    /** Number of items per page. */
    page_size: z._default(itemsPerPage, 50),
    /** Start, inclusive, in ISO 8601 (UTC without a zone) or Unix seconds. Default: 30 days ago. */
    from: z.optional(shortText),
    /** End, inclusive, in ISO 8601 (UTC without a zone) or Unix seconds. Default: now. */
    to: z.optional(shortText),
  }),
  responses: {
    200: z.looseObject({
      _links: pageFields._links,
      page: z.int(),
      /** Number of items per page. */
      page_size: z.int(),
      total_pages: z.int(),
      total_count: z.int(),
      deployments: z.array(deployment),
    }),
  },
  errors: { 404: "No such environment" },
});

/**
 * Lists the deployments of the organization, newest first. Filters with several values match any of them, except those
 * for tags.
 *
 * @example
 * const { body } = await client.listDeployments({ envName: ["prod"], review: "unreviewed" });
 */
export const listDeployments = defineOperation({
  name: "listDeployments",
  summary: "List deployments",
  route: "GET /deployments/{org}",
  access: "read",
  reach: { list: { flows: "flow", environments: "env_name" } },
  heavy: false,
  query: z.object({
    ...pageOf(countedItemsPerPage, 15),
    ...window,
    /** Names of environments. A logical environment means its members. */
    env_name: z.optional(names),
    /** Tags of the environments, as `key:value`, or `key` for any value. An environment must have all of them. */
    env_tag: z.optional(names.check(z.maxLength(MAX_TAGS))),
    /** Names of repositories. */
    repo_name: z.optional(names),
    /** Names of flows that reported the artifact. */
    flow: z.optional(names),
    /** Tags of these flows, as `key:value`, or `key` for any value. A flow must have all of them. */
    flow_tag: z.optional(names.check(z.maxLength(MAX_TAGS))),
    /** Compliance at the start. `UNKNOWN` is without policies. */
    compliance_state: z.optional(z.enum(["COMPLIANT", "NON-COMPLIANT", "UNKNOWN"])),
    /** Review before the deployment. At most 5,000 deployments may match the other filters. */
    review: z.optional(reviewState),
    /** Approval before the deployment. At most 5,000 deployments may match the other filters. */
    approval: z.optional(approvalState),
    /** Lists only a random sample with this number of deployments. At most 5,000 may match the other filters. */
    sample: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_SAMPLE))),
    /** Seed of the sample: the same seed picks the same of the same deployments. */
    seed: z._default(z.int().check(z.minimum(0), z.maximum(999_999_999)), 42),
  }),
  responses: { 200: z.strictObject({ ...pageFields, deployments: z.array(deployment) }) },
  errors: { 404: "No such environment, repository or flow" },
});

/** Returns the latest deployment of the artifact to the environment, and when it started there before. */
export const getDeployment = defineOperation({
  ...readsEnvironment,
  name: "getDeployment",
  summary: "Get a deployment",
  route: "GET /deployments/{org}/{env_name}/{fingerprint}",
  params: z.object({
    env_name: reference,
    /** Fingerprint of the artifact, or its first characters. */
    fingerprint: fingerprintPrefix,
  }),
  responses: {
    200: z.extend(deployment, {
      /** The last 100 starts, newest first. */
      starts: z.array(start),
    }),
  },
  errors: { 404: "No such environment, or the artifact never ran there" },
});

/**
 * Returns how often artifacts are deployed to the environment. Artifacts that already ran when the reports began do not
 * count, and of the runs of a job within 24 hours only the first counts.
 */
export const getDeploymentFrequency = defineOperation({
  ...readsEnvironment,
  name: "getDeploymentFrequency",
  summary: "Get the deployment frequency of an environment",
  route: "GET /environments/{org}/{env_name}/deployment_frequency",
  reach: { ...insideEnvironment, also: { flows: "flow_id" } },
  heavy: true,
  params: z.object({ env_name: reference }),
  query: z.object({
    /** Name or ID of the flow that reported the artifacts. Default: all. */
    flow_id: z.optional(shortText),
    ...window,
  }),
  responses: {
    200: z.looseObject({
      environment_name: z.string(),
      /** ID of the flow; null for all flows. */
      flow_id: text,
      flow_name: text,
      /** Start of the window, in Unix seconds. */
      start_ts: z.number(),
      /** End of the window, in Unix seconds. */
      end_ts: z.number(),
      count: z.int(),
      /** Times in Unix seconds, oldest first. */
      deployed_at: z.array(z.number()),
      /** Mean per day. */
      per_day: z.number(),
      /** Median of the numbers per day, including days without deployments. */
      median_per_day: z.number(),
    }),
  },
  errors: { 404: "No such environment or flow" },
});

const ofRepo = {
  /** ID that the service gave the repository. */
  repo: recordId,
};
const environments = {
  /** Names of environments. Default: all to which the repository was deployed. */
  env: z._default(names, []),
};

/** Lists the deployments of artifacts from the repository, newest first. */
export const listRepoDeployments = defineOperation({
  ...readsOrganization,
  name: "listRepoDeployments",
  summary: "List the deployments of a repository",
  route: "GET /repos/{org}/{repo}/deployments",
  idParam: "repo",
  params: z.object(ofRepo),
  query: z.object({ ...pageOf(countedItemsPerPage, 15), ...environments, ...window }),
  responses: { 200: z.strictObject({ ...pageFields, deployments: z.array(deployment) }) },
  errors: { 404: "No such repository or environment" },
});

const deploymentSeries = z.looseObject({
  environment_id: z.string(),
  name: z.string(),
  type: z.string(),
  count: z.int(),
  /** Times in Unix seconds, oldest first. */
  deployed_at: z.array(z.number()),
  /** Seconds from commit to deployment, for each of these times. Null if unknown. */
  lead_time_seconds: z.array(z.nullable(z.number())),
  /** Numbers of deployments without a lead time, by reason. The initial ones are not in the series. */
  excluded: z.looseObject({
    /** Artifacts that already ran when the reports began. */
    initial: z.int(),
    /** Artifacts that ran in the environment before. */
    redeployments: z.int(),
    /** Artifacts without a known commit time. */
    no_commit: z.int(),
    /** Artifacts whose commit is younger than the deployment. */
    negative: z.int(),
  }),
});
export type DeploymentSeries = Camel<z.infer<typeof deploymentSeries>>;

/**
 * Returns the times and lead times of the repository's deployments, for each physical environment that has some in the
 * window or that the request names.
 */
export const getRepoDeploymentStatistics = defineOperation({
  ...readsOrganization,
  name: "getRepoDeploymentStatistics",
  summary: "Get statistics of a repository's deployments",
  route: "GET /repos/{org}/{repo}/deployment-statistics",
  heavy: true,
  idParam: "repo",
  params: z.object(ofRepo),
  query: z.object({ ...environments, ...window }),
  responses: {
    200: z.looseObject({
      /** Start of the window, in Unix seconds. */
      start_ts: z.number(),
      /** End of the window, in Unix seconds. */
      end_ts: z.number(),
      environments: z.array(deploymentSeries),
    }),
  },
  errors: { 404: "No such repository or environment" },
});
