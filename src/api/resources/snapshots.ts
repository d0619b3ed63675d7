import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, readsEnvironment, readsOrganization } from "../operation.ts";
import { anyItemsPerPage, pageNumber, pageOf } from "../paging.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";
import { recordOrigin } from "./origin.ts";
import { policyEvaluation } from "./policy-evaluations.ts";

/* Snapshots of running artifacts, their changes, and comparisons of two snapshots. */

export const deploymentDiff = z.looseObject({
  /** Address of the changes since the artifact that ran before. */
  diff_url: z.nullish(z.string()),
  previous_git_commit: z.nullish(z.string()),
  previous_fingerprint: z.nullish(z.string()),
  previous_artifact_name: z.nullish(z.string()),
  previous_artifact_compliance_state: z.nullish(z.string()),
  /** Whether the artifact that ran before still runs beside this one. */
  previous_running: z.nullish(z.boolean()),
  previous_git_commit_url: z.nullish(z.string()),
  previous_trail_name: z.nullish(z.string()),
  previous_template_reference_name: z.nullish(z.string()),
});

const snapshotFlow = z.looseObject({
  flow_name: z.string(),
  trail_name: z.nullish(z.string()),
  template_reference_name: z.nullish(z.string()),
  git_commit: z.nullish(z.string()),
  commit_url: z.nullish(z.string()),
  git_commit_info: z.nullish(z.record(z.string(), z.unknown())),
  html_url: z.nullish(z.string()),
  flow_html_url: z.nullish(z.string()),
  deployment_diff: z.nullish(deploymentDiff),
  /** Seconds from the commit to the start of the artifact. */
  commit_lead_time: z.nullish(z.number()),
  artifact_compliance_in_flow: z.nullish(z.boolean()),
  flow_reasons_for_non_compliance: z.nullish(z.array(z.unknown())),
});

const snapshotArtifact = z.looseObject({
  name: z.string(),
  fingerprint: z.string(),
  /** For logical environments: name of the physical environment in which it runs. */
  environment_name: z.optional(z.string()),
  /** Whether it is compliant; null without policies. */
  compliant: z.nullish(z.boolean()),
  deployments: z.nullish(z.array(z.unknown())),
  policy_decisions: z.nullish(z.array(policyEvaluation)),
  reasons_for_incompliance: z.nullish(z.array(z.unknown())),
  /** Start of each instance, in Unix seconds. */
  creationTimestamp: z.nullish(z.array(z.number())),
  /** Pods by name. */
  pods: z.nullish(z.record(z.string(), z.unknown())),
  /** For Azure apps and Cloud Run: the reported instances. */
  instances: z.optional(
    z.array(
      z.looseObject({
        /** Start of the instance, in Unix seconds. */
        creationTimestamp: z.number(),
        app_name: z.optional(z.string()),
        app_kind: z.optional(z.string()),
        /** Source of the digests. */
        digests_source: z.optional(z.string()),
        kind: z.optional(z.string()),
        serviceName: z.nullish(z.string()),
        revisionName: z.nullish(z.string()),
        jobName: z.nullish(z.string()),
      }),
    ),
  ),
  /** Change in this snapshot. `now` is 0 for a stopped artifact. */
  annotation: z.nullish(
    z.looseObject({ type: z.string(), was: z.nullish(z.int()), now: z.nullish(z.int()) }),
  ),
  flow_name: z.nullish(z.string()),
  git_commit: z.nullish(z.string()),
  commit_url: z.nullish(z.string()),
  html_url: z.nullish(z.string()),
  flow_html_url: z.nullish(z.string()),
  deployment_diff: z.nullish(deploymentDiff),
  commit_lead_time: z.nullish(z.number()),
  /** Flows that reported the artifact; empty if none did. */
  flows: z.nullish(z.array(snapshotFlow)),
  ecs_context: z.nullish(
    z.looseObject({
      task_arn: z.nullish(z.string()),
      cluster_name: z.nullish(z.string()),
      service_name: z.nullish(z.string()),
    }),
  ),
});
export type SnapshotArtifact = Camel<z.infer<typeof snapshotArtifact>>;
export type DeploymentDiff = Camel<z.infer<typeof deploymentDiff>>;

/** Whether the artifacts satisfied the policies; null without policies, which is not compliant either. */
const state = z.nullish(z.boolean());

const snapshot = z.looseObject({
  /** Number of the snapshot in its environment, counted from 1. */
  index: z.int(),
  is_latest: z.boolean(),
  /** Time of the next snapshot, in Unix seconds; null for the latest. */
  next_snapshot_timestamp: z.nullish(z.number()),
  /** Number of artifacts by compliance: `true`, `false` and `null`. */
  artifact_compliance_count: z.record(z.string(), z.int()),
  timestamp: z.number(),
  type: z.string(),
  compliant: z.boolean(),
  state,
  html_url: z.nullish(z.string()),
  /** Origin of the report that created it. */
  origin: recordOrigin,
  artifacts: z.array(snapshotArtifact),
  applied_policies: z.nullish(z.array(z.record(z.string(), z.unknown()))),
});

/** Maximum number of artifacts per page of a snapshot. */
export const MAX_ARTIFACTS_PER_PAGE = 1_000;

/**
 * Lists the snapshots of the environment, newest first unless `reverse` is set.
 *
 * @example
 * const { body } = await client.listSnapshots({ envName: "prod", interval: "~5..NOW" });
 */
export const listSnapshots = defineOperation({
  ...readsEnvironment,
  name: "listSnapshots",
  summary: "List snapshots",
  route: "GET /snapshots/{org}/{env_name}",
  params: z.object({ env_name: reference }),
  query: z.object({
    ...pageOf(anyItemsPerPage, 15),
    /** Interval: `5..10`, `~5..NOW` or `@{2026-01-01T00:00:00}..@{now}`. A start alone, such as `~5`, means up to now. */
    interval: z._default(shortText, "1..NOW"),
    reverse: z._default(z.boolean(), false),
  }),
  responses: {
    200: z.array(
      z.looseObject({
        index: z.int(),
        /** Start, in Unix seconds. */
        from: z.number(),
        /** End, in Unix seconds; 0 for the current snapshot. */
        to: z.number(),
        compliant: z.boolean(),
        state,
        /** Duration in seconds. */
        duration: z.number(),
      }),
    ),
  },
  errors: { 404: "No such environment" },
});

/**
 * Returns a snapshot by number (`12`), by position from the end (`-1` is the latest, `~1` the one before) or by time
 * (`@{2026-01-31T12:00:00}`, `@{3.days.ago}`, `@{now}`).
 *
 * @example
 * const { body } = await client.getSnapshot({ envName: "prod", snapshotExpression: "-1" });
 */
export const getSnapshot = defineOperation({
  ...readsEnvironment,
  name: "getSnapshot",
  summary: "Get a snapshot",
  route: "GET /snapshots/{org}/{env_name}/{snapshot_expression}",
  heavy: true,
  params: z.object({ env_name: reference, snapshot_expression: reference }),
  /** With either parameter, the response has one page of artifacts, and the header `Link` refers to the other pages. */
  query: z.object({
    page: z.optional(pageNumber),
    per_page: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_ARTIFACTS_PER_PAGE))),
  }),
  responses: { 200: snapshot },
  errors: { 404: "No such environment or snapshot" },
});

const diffArtifact = z.looseObject({
  fingerprint: z.string(),
  name: z.string(),
  /** Start of its newest instance, in Unix seconds. */
  most_recent_timestamp: z.int(),
  /** Name of the flow that reported it; empty if none did. */
  flow: z.nullish(z.string()),
  commit_url: z.nullish(z.string()),
  instance_count: z.nullish(z.int()),
  s1_instance_count: z.nullish(z.int()),
  s2_instance_count: z.nullish(z.int()),
  pods: z.nullish(z.array(z.string())),
});
export type DiffArtifact = Camel<z.infer<typeof diffArtifact>>;

const diffItem = z.looseObject({
  /** Snapshot, such as `prod#12`. */
  snapshot_id: z.nullish(z.string()),
  artifacts: z.array(diffArtifact),
});

/**
 * Compares the running artifacts of two snapshots, named by environment and expression: `staging`, `staging#10`,
 * `staging~2`, `staging@{2.days.ago}`.
 *
 * @example
 * const { body } = await client.diffSnapshots({ snappish1: "staging", snappish2: "prod" });
 */
export const diffSnapshots = defineOperation({
  ...readsOrganization,
  name: "diffSnapshots",
  summary: "Compare two snapshots",
  route: "GET /env-diff/{org}",
  heavy: true,
  query: z.object({
    /** First snapshot, such as `staging#10`. */
    snappish1: reference,
    /** Second snapshot, such as `prod`. */
    snappish2: reference,
  }),
  responses: {
    200: z.looseObject({
      /** Artifacts that run only in the first snapshot. */
      snappish1: diffItem,
      /** Artifacts that run only in the second snapshot. */
      snappish2: diffItem,
      /** Artifacts that run in both, with different numbers of instances. */
      changed: diffItem,
      "not-changed": diffItem,
    }),
  },
  errors: { 404: "No such environment or snapshot" },
});
