import * as z from "zod/mini";
import { artifactListItem, artifactRecord } from "../artifact-record.ts";
import { commitShaPrefix, fingerprintPrefix, flowName, recordId, reference } from "../names.ts";
import { defineOperation, fileAnswer } from "../operation.ts";
import { anyItemsPerPage, pageNumber } from "../paging.ts";
import { shortText } from "../texts.ts";

const artifactPath = z.object({ flow_name: flowName, fingerprint: fingerprintPrefix });

export const getArtifact = defineOperation({
  name: "getArtifact",
  summary: "Get an artifact of a flow, as it was last reported",
  method: "GET",
  path: "/artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
  access: "read",
  params: artifactPath,
  query: z.object({
    /** As it was last reported to this trail. */
    trail: z.optional(reference),
    /** As it was last reported to the trail of this attestation. */
    attestation_id: z.optional(recordId),
  }),
  responses: { 200: artifactRecord },
  errors: { 404: "No such flow, trail or artifact" },
});

export const getArtifactsByCommit = defineOperation({
  name: "getArtifactsByCommit",
  summary: "Get the artifacts of a flow that were built from a commit, newest first",
  method: "GET",
  path: "/artifacts/{org}/{flow_name}/commit_sha/{commit_sha}",
  access: "read",
  params: z.object({ flow_name: flowName, commit_sha: commitShaPrefix }),
  query: z.object({ trail: z.optional(reference) }),
  responses: { 200: z.array(artifactRecord) },
  errors: { 404: "No such flow or trail" },
});

const artifactPaging = { page: z._default(pageNumber, 1), per_page: z._default(anyItemsPerPage, 15) };

export const listArtifacts = defineOperation({
  name: "listArtifacts",
  summary: "List the artifacts, newest first",
  method: "GET",
  path: "/artifacts/{org}",
  access: "read",
  query: z.object({
    flow_name: z.optional(flowName),
    /** Empty means all, as if it were not given. */
    repo_name: z.optional(shortText),
    ...artifactPaging,
  }),
  responses: { 200: z.array(artifactListItem) },
  errors: { 404: "No such flow or repository" },
});

/** Kept for older clients: `listArtifacts` with a `flow_name` answers the same. */
export const listFlowArtifacts = defineOperation({
  name: "listFlowArtifacts",
  summary: "List the artifacts of a flow, newest first (deprecated: use listArtifacts)",
  method: "GET",
  path: "/artifacts/{org}/{flow_name}",
  access: "read",
  params: z.object({ flow_name: flowName }),
  query: z.object(artifactPaging),
  responses: { 200: z.array(artifactListItem) },
  errors: { 404: "No such flow" },
});

/**
 * From here to the artifact's own commit are the commits that it adds. The artifact need not be reported yet.
 */
export const getLatestCommit = defineOperation({
  name: "getLatestCommit",
  summary: "Get the commit of the latest other artifact of a flow, from before this one",
  method: "GET",
  path: "/artifacts/{org}/{flow_name}/{fingerprint}/latest_commit",
  access: "read",
  params: artifactPath,
  query: z.object({
    /** Among the artifacts built on this branch. */
    branch: z.optional(reference),
  }),
  responses: { 200: z.object({ latest_commit: z.nullable(z.string()) }) },
  errors: { 404: "No such flow" },
});

/**
 * An audit package of one artifact: `manifest.json`, the artifact and its attestations, each with its `origin` where a
 * workflow made it without a key.
 */
export const getArtifactAuditPackage = defineOperation({
  name: "getArtifactAuditPackage",
  summary: "Download an artifact and its evidence as one archive",
  method: "GET",
  path: "/artifacts/{org}/{flow_name}/{fingerprint}/audit_package",
  access: "read",
  params: artifactPath,
  responses: { 200: fileAnswer },
  errors: { 404: "No such flow or artifact" },
});
