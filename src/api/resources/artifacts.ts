import * as z from "zod/mini";
import { commitShaPrefix, fingerprintPrefix, flowName, recordId, reference } from "../names.ts";
import { defineOperation, fileAnswer, readsFlow } from "../operation.ts";
import { anyItemsPerPage, pageOf } from "../paging.ts";
import { shortText } from "../texts.ts";
import { commitRecord, kindResults, linksByLabel, snykResults } from "./attestation-record.ts";
import { recordOrigin, spooledBy } from "./origin.ts";
import { complianceState } from "./trail-record.ts";

/** Attestation of one name about the artifact. */
const artifactEvidence = z.looseObject({
  evidence_type: z.string(),
  is_compliant: z.nullable(z.boolean()),
  build_url: z.nullish(z.string()),
  evidence_archive_fingerprint: z.nullish(z.string()),
  user_data: z.optional(z.unknown()),
  /** Time of creation, in Unix seconds, as text. */
  created_at: z.string(),
  description: z.nullish(z.string()),
  /** Whether it has evidence files. */
  has_audit_package: z.boolean(),
  evidence_url: z.nullish(z.string()),
  evidence_fingerprint: z.nullish(z.string()),
  commit_sha: z.nullish(z.string()),
  snyk_results: snykResults,
  ...kindResults,
});

/** Repository that the artifact was built from. Its provider may be one that this version does not know. */
const repoRecord = z.looseObject({
  name: z.string(),
  url: z.nullish(z.string()),
  id: z.nullish(z.string()),
  description: z.nullish(z.string()),
  provider: z.nullish(z.string()),
  namespace_path: z.nullish(z.array(z.string())),
  additional_info: z.nullish(z.record(z.string(), z.unknown())),
});

const artifactFields = {
  /** ID of this report. Each report of an artifact has its own. */
  id: z.string(),
  trail_name: z.nullish(z.string()),
  /** Name of the artifact in the flow template. */
  template_reference_name: z.nullish(z.string()),
  fingerprint: z.string(),
  filename: z.string(),
  origin: recordOrigin,
  spooled_by: spooledBy,
  description: z.nullish(z.string()),
  git_commit: z.nullish(z.string()),
  git_commit_info: z.nullish(commitRecord),
  repo_info: z.nullish(repoRecord),
  commit_url: z.nullish(z.string()),
  build_url: z.nullish(z.string()),
  repo_url: z.nullish(z.string()),
  html_url: z.nullish(z.string()),
  api_url: z.nullish(z.string()),
  /** Time of creation, in Unix seconds, as text. */
  created_at: z.string(),
  /** Time of the last change, in Unix seconds, as text. */
  last_modified_at: z.string(),
  user_data: z.optional(z.unknown()),
  external_urls: linksByLabel,
  annotations: z.nullish(z.record(z.string(), z.unknown())),
  state: z.nullish(complianceState),
  deployments: z.optional(z.array(z.unknown())),
  releases: z.optional(z.array(z.unknown())),
  /** Latest attestation of each name. */
  evidence: z.optional(z.record(z.string(), artifactEvidence)),
};

export const artifactListItem = z.looseObject(artifactFields);

/** A snapshot of an environment. */
const runningInstance = z.looseObject({ environment_name: z.string(), snapshot_index: z.int() });

export const artifactRecord = z.looseObject({
  ...artifactFields,
  flow_name: z.string(),
  /** Names of the attestations that the template requires. */
  template: z.nullish(z.array(z.string())),
  /** Reason for the state. */
  state_info: z.nullish(z.string()),
  approvals: z.nullish(z.array(z.unknown())),
  /** Latest snapshots in which it runs. */
  running: z.nullish(z.array(runningInstance)),
  /** Last snapshot of each environment in which it ran before. */
  exited: z.nullish(z.array(runningInstance)),
  history: z.nullish(z.array(z.looseObject({ event: z.string(), timestamp: z.number() }))),
  commit_lead_times: z.optional(z.record(z.string(), z.unknown())),
  build_lead_times: z.optional(z.record(z.string(), z.unknown())),
});

const artifactPath = z.object({ flow_name: flowName, fingerprint: fingerprintPrefix });

/** Returns the latest report of the artifact in the flow, with its evidence and where it runs. */
export const getArtifact = defineOperation({
  ...readsFlow,
  name: "getArtifact",
  summary: "Get an artifact",
  route: "GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
  params: artifactPath,
  query: z.object({
    /** Name of a trail: returns the latest report in this trail. */
    trail: z.optional(reference),
    /** ID of an attestation: returns the latest report in its trail. */
    attestation_id: z.optional(recordId),
  }),
  responses: { 200: artifactRecord },
  errors: { 404: "No such flow, trail or artifact" },
});

/** Lists the artifacts of the flow that were built from the commit, newest first. */
export const getArtifactsByCommit = defineOperation({
  ...readsFlow,
  name: "getArtifactsByCommit",
  summary: "List the artifacts of a commit",
  route: "GET /artifacts/{org}/{flow_name}/commit_sha/{commit_sha}",
  params: z.object({ flow_name: flowName, commit_sha: commitShaPrefix }),
  query: z.object({ trail: z.optional(reference) }),
  responses: { 200: z.array(artifactRecord) },
  errors: { 404: "No such flow or trail" },
});

const artifactPaging = pageOf(anyItemsPerPage, 15);

/** Lists artifacts, newest first. Filter by flow or repository. */
export const listArtifacts = defineOperation({
  name: "listArtifacts",
  summary: "List artifacts",
  route: "GET /artifacts/{org}",
  access: "read",
  reach: { list: { flows: "flow_name" } },
  heavy: false,
  query: z.object({
    flow_name: z.optional(flowName),
    /** Name of a repository. Empty means all. */
    repo_name: z.optional(shortText),
    ...artifactPaging,
  }),
  responses: { 200: z.array(artifactListItem) },
  errors: { 404: "No such flow or repository" },
});

/** Kept for older clients. Use `listArtifacts` with `flow_name`. */
export const listFlowArtifacts = defineOperation({
  ...readsFlow,
  name: "listFlowArtifacts",
  summary: "List the artifacts of a flow (deprecated)",
  route: "GET /artifacts/{org}/{flow_name}",
  params: z.object({ flow_name: flowName }),
  query: z.object(artifactPaging),
  responses: { 200: z.array(artifactListItem) },
  errors: { 404: "No such flow" },
});

/**
 * Returns the commit of the flow's latest artifact before this one, which need not be reported yet. The commits after
 * it, up to the artifact's own, are the ones that it adds.
 */
export const getLatestCommit = defineOperation({
  ...readsFlow,
  name: "getLatestCommit",
  summary: "Get the previous commit",
  route: "GET /artifacts/{org}/{flow_name}/{fingerprint}/latest_commit",
  params: artifactPath,
  query: z.object({
    /** Name of a branch: considers only artifacts built on it. */
    branch: z.optional(reference),
  }),
  responses: { 200: z.object({ latest_commit: z.nullable(z.string()) }) },
  errors: { 404: "No such flow" },
});

/** Returns a gzip tar of the artifact, its attestations and their files, with `manifest.json`. */
export const getArtifactAuditPackage = defineOperation({
  ...readsFlow,
  name: "getArtifactAuditPackage",
  summary: "Download the audit package of an artifact",
  route: "GET /artifacts/{org}/{flow_name}/{fingerprint}/audit_package",
  heavy: true,
  params: artifactPath,
  responses: { 200: fileAnswer },
  errors: { 404: "No such flow or artifact" },
});
