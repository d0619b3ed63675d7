import * as z from "zod/mini";
import { commitSha, fingerprint, reference } from "../names.ts";
import { defineOperation, insideFlow, readsFlow } from "../operation.ts";
import { itemsPerPage, pageOf } from "../paging.ts";
import { addressText, longText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";
import { recordOrigin } from "./origin.ts";
import { userData } from "./provenance.ts";

const reviewFields = {
  state: z.enum(["APPROVED", "UNAPPROVED"]),
  comment: longText,
  approved_by: shortText,
  approval_url: addressText,
};

const approvalSubmission = z.strictObject({
  artifact_fingerprint: fingerprint,
  description: longText,
  /** Name of the environment that the approval is limited to; any environment by default. */
  environment: z.nullish(shortText),
  /** SHAs of the approved commits. */
  src_commit_list: z.array(commitSha),
  /** Commit before the approved ones, such as the running commit. */
  oldest_commit: z.nullish(commitSha),
  /** Reviews. Without any, this is a request for approval. The last review decides. */
  approvals: z.nullish(z.array(z.object(reviewFields))),
  user_data: z.nullish(userData),
});

const approvalFields = {
  /** Number of the approval in its flow, counted from 1 without gaps. */
  release_number: z.int(),
  /** Fingerprint of the artifact that the commits start from; empty if unknown. */
  base_artifact: z.string(),
  artifact_name: z.string(),
  /** Fingerprint of the approved artifact. */
  target_artifact: z.string(),
  environment: z.nullish(z.string()),
  description: z.string(),
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
  last_modified_at: z.number(),
  /** `PENDING` before the first review, then the state of the last one. */
  state: z.enum(["APPROVED", "UNAPPROVED", "PENDING"]),
  approvals: z.array(z.looseObject({ ...reviewFields, timestamp: z.number() })),
  user_data: z.nullish(z.unknown()),
  origin: recordOrigin,
};

const approvalOfCommits = z.looseObject({ ...approvalFields, src_commit_list: z.array(z.string()) });
export type ApprovalOfCommits = Camel<z.infer<typeof approvalOfCommits>>;

const approvalWithArtifacts = z.looseObject({
  ...approvalFields,
  src_commit_list: z.array(
    z.looseObject({
      commit_sha: z.string(),
      /** Fingerprints of the artifacts of the flow that were built from the commit. */
      artifact_fingerprints: z.array(z.string()),
    }),
  ),
});

const flowParam = { flow_name: reference };

/**
 * Records that the artifact is approved or rejected, or requests an approval.
 *
 * @example
 * await client.recordApproval({
 *   flowName: "web",
 *   body: {
 *     artifactFingerprint,
 *     description: "release 12",
 *     environment: "prod",
 *     srcCommitList: [commit],
 *     approvals: [{ state: "APPROVED", comment: "", approvedBy: "ada", approvalUrl: "https://ci.example/7" }],
 *   },
 * });
 */
export const recordApproval = defineOperation({
  name: "recordApproval",
  summary: "Record or request an approval",
  route: "POST /approvals/{org}/{flow_name}",
  access: "approve",
  reach: { ...insideFlow, also: { environments: "environment" } },
  heavy: false,
  params: z.object(flowParam),
  body: { kind: "json", schema: approvalSubmission },
  /** Confirmation. Some services return the submission. */
  responses: { 201: z.union([z.string(), z.looseObject({})]) },
  errors: { 404: "No such flow, artifact or environment" },
  takesIdempotencyKey: true,
});

/** Lists the approvals of the flow, newest first. */
export const listApprovals = defineOperation({
  ...readsFlow,
  name: "listApprovals",
  summary: "List the approvals of a flow",
  route: "GET /approvals/{org}/{flow_name}",
  params: z.object(flowParam),
  query: z.object(pageOf(itemsPerPage, 20)),
  responses: { 200: z.array(approvalOfCommits) },
  errors: { 404: "No such flow" },
});

/** Returns the approval with this number. Negative numbers count from the end: -1 is the latest. */
export const getApproval = defineOperation({
  ...readsFlow,
  name: "getApproval",
  summary: "Get an approval",
  route: "GET /approvals/{org}/{flow_name}/{approval_number}",
  params: z.object({ ...flowParam, approval_number: z.int() }),
  responses: { 200: approvalWithArtifacts },
  errors: { 404: "No such flow or approval" },
});

/** Lists the approvals of the artifact, oldest first. The last one decides. */
export const listArtifactApprovals = defineOperation({
  ...readsFlow,
  name: "listArtifactApprovals",
  summary: "List the approvals of an artifact",
  route: "GET /artifacts/{org}/{flow_name}/{fingerprint}/approvals",
  access: "assert",
  params: z.object({ ...flowParam, fingerprint }),
  responses: { 200: z.array(approvalOfCommits) },
  errors: { 404: "No such flow or artifact" },
});

/**
 * Returns the commit of the flow's artifact that runs in the environment, or null if none runs there. If several
 * run, the one that started last counts.
 */
export const getArtifactCommit = defineOperation({
  name: "getArtifactCommit",
  summary: "Get the running commit",
  route: "GET /approvals/{org}/{flow_name}/artifact-commit/{env_name}",
  access: "assert",
  reach: { inside: { flows: "flow_name", environments: "env_name" } },
  heavy: false,
  params: z.object({ ...flowParam, env_name: reference }),
  /** Running commit. Null if no artifact of the flow runs there, or its commit is unknown. */
  responses: { 200: z.looseObject({ commit_sha: z.nullable(z.string()) }) },
  errors: { 404: "No such flow or environment" },
});
