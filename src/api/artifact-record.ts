import * as z from "zod/mini";
import { commitRecord, kindResults, linksByLabel, snykResults } from "./resources/attestation-record.ts";
import { recordOrigin, spooledBy } from "./resources/origin.ts";
import { complianceState } from "./resources/trail-record.ts";

/** What was attested about an artifact under one name. */
const artifactEvidence = z.looseObject({
  evidence_type: z.string(),
  is_compliant: z.nullable(z.boolean()),
  build_url: z.nullish(z.string()),
  evidence_archive_fingerprint: z.nullish(z.string()),
  user_data: z.optional(z.unknown()),
  /** Unix seconds as text. */
  created_at: z.string(),
  description: z.nullish(z.string()),
  /** Whether evidence files are stored with it. */
  has_audit_package: z.boolean(),
  evidence_url: z.nullish(z.string()),
  evidence_fingerprint: z.nullish(z.string()),
  commit_sha: z.nullish(z.string()),
  snyk_results: snykResults,
  ...kindResults,
});

/** Providers come to be supported that are not known here. */
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
  /** Of this report: an artifact that is reported again has another. */
  id: z.string(),
  trail_name: z.nullish(z.string()),
  /** Its name in the flow template. */
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
  /** Unix seconds as text. */
  created_at: z.string(),
  last_modified_at: z.string(),
  user_data: z.optional(z.unknown()),
  external_urls: linksByLabel,
  annotations: z.nullish(z.record(z.string(), z.unknown())),
  state: z.nullish(complianceState),
  deployments: z.optional(z.array(z.unknown())),
  releases: z.optional(z.array(z.unknown())),
  /** The latest attestation of each name. */
  evidence: z.optional(z.record(z.string(), artifactEvidence)),
};

export const artifactListItem = z.looseObject(artifactFields);

/** A snapshot of an environment, by its number. */
const runningInstance = z.looseObject({ environment_name: z.string(), snapshot_index: z.int() });

export const artifactRecord = z.looseObject({
  ...artifactFields,
  flow_name: z.string(),
  /** The names of the attestations that the template asks for. */
  template: z.nullish(z.array(z.string())),
  /** Why it is in its state. */
  state_info: z.nullish(z.string()),
  approvals: z.nullish(z.array(z.unknown())),
  /** Where it runs, by the latest snapshots. */
  running: z.nullish(z.array(runningInstance)),
  /** Where it ran, each with the last snapshot that had it. */
  exited: z.nullish(z.array(runningInstance)),
  history: z.nullish(z.array(z.looseObject({ event: z.string(), timestamp: z.number() }))),
  commit_lead_times: z.optional(z.record(z.string(), z.unknown())),
  build_lead_times: z.optional(z.record(z.string(), z.unknown())),
});
