import * as z from "zod/mini";
import type { Camel } from "../wire-names.ts";
import { recordOrigin, spooledBy } from "./origin.ts";
import { gitCommitInfo } from "./provenance.ts";

/*
 * What is read of attestations. Services of other ages leave fields out or add some, and one odd record must not make
 * a whole list unreadable: so what was checked when it was sent is not checked again here, only named.
 */

const text = z.nullish(z.string());
const number = z.nullish(z.number());

/** Links by label, as records show them: older services may give plain addresses. */
export const linksByLabel = z.nullish(
  z.record(z.string(), z.union([z.looseObject({ href: z.string(), fingerprint: text }), z.string()])),
);

const link = z.nullish(z.looseObject({ href: z.string() }));

export const commitRecord = z.looseObject({ ...gitCommitInfo.def.shape, sha1: text });

const testResult = z.looseObject({
  name: text,
  failures: number,
  errors: number,
  skipped: number,
  total: number,
  /** Seconds. */
  duration: number,
  /** Unix seconds. */
  timestamp: number,
});

const vulnerabilities = z.nullish(
  z.array(
    z.looseObject({
      id: text,
      message: text,
      locations: z.nullish(z.array(z.looseObject({ uri: text, lines: z.optional(z.unknown()) }))),
      priority_score: number,
    }),
  ),
);

const scanResults = z.looseObject({
  schema_version: number,
  tool: z.nullish(z.looseObject({ name: text, version: text })),
  results: z.nullish(
    z.array(
      z.looseObject({
        low_count: number,
        medium_count: number,
        high_count: number,
        low: vulnerabilities,
        medium: vulnerabilities,
        high: vulnerabilities,
      }),
    ),
  ),
});

const pullRequest = z.looseObject({
  url: text,
  /** In the words of the provider: `MERGED`, `OPEN`, `CLOSED` … */
  state: text,
  author: text,
  title: text,
  /** Unix seconds. */
  created_at: number,
  merged_at: number,
  head_ref: text,
  base_ref: text,
  merge_commit: text,
  /** Names alone where an older client sent them. */
  approvers: z.nullish(
    z.array(z.union([z.string(), z.looseObject({ username: text, state: text, timestamp: number })])),
  ),
  commits: z.nullish(z.array(commitRecord)),
});

const issue = z.looseObject({
  issue_id: text,
  issue_url: text,
  issue_exists: z.nullish(z.boolean()),
  issue_fields: z.nullish(z.record(z.string(), z.unknown())),
});

/** What some kinds say beyond the others, where artifacts show it as well. */
export const kindResults = {
  junit_results: z.nullish(z.array(testResult)),
  git_provider: text,
  pull_requests: z.nullish(z.array(pullRequest)),
  jira_results: z.nullish(z.array(issue)),
};
export const snykResults = z.nullish(scanResults);

/** An attestation as it was recorded. Which fields it has beyond those of all goes by its type. */
export const attestationRecord = z.looseObject({
  attestation_id: z.string(),
  attestation_name: z.string(),
  /** A built-in kind, `custom:<name>`, `system:<name>` or `override`. */
  attestation_type: z.string(),
  is_compliant: z.nullish(z.boolean()),
  /** Unix seconds, fractional. */
  created_at: z.number(),
  description: text,
  /** Whether evidence files are stored with it. */
  has_audit_package: z.nullish(z.boolean()),
  html_url: text,
  origin_url: text,
  reported_by: text,
  origin: recordOrigin,
  spooled_by: spooledBy,
  schema_version: number,
  user_data: z.optional(z.unknown()),

  flow_name: text,
  trail_name: text,
  artifact_fingerprint: text,
  /** Names of artifacts in the template that it is for. */
  target_artifacts: z.nullish(z.array(z.string())),
  git_commit_info: z.nullish(commitRecord),
  external_urls: linksByLabel,
  annotations: z.nullish(z.record(z.string(), z.unknown())),
  /** Where the service keeps the evidence file; its own business. */
  evidence_archive_path: text,
  /** The sha256 of the one evidence file. */
  evidence_archive_fingerprint: text,
  _links: z.nullish(z.looseObject({ self: link, evidence: link })),

  ...kindResults,
  processed_snyk_results: snykResults,
  /** Of `sonar`, in the scanner's names. */
  sonar_results: z.nullish(z.record(z.string(), z.unknown())),
  /** Of custom and system types: their name, and the version that judged the data. */
  type_name: text,
  type_version: number,
  attestation_data: z.optional(z.unknown()),
  /** Of custom types: whether each rule of the version holds, in their order, up to one that gave no verdict. */
  rule_results: z.nullish(z.array(z.boolean())),
  /** Why no verdict could be reached, so that it is not compliant. */
  evaluation_error: text,
  /** Of a decision: the identifier of the control. */
  control: text,

  /** Of an override: the attestation whose verdict it replaces, and why. */
  overridden_attestation_id: text,
  original_attestation_type: text,
  new_compliance_status: z.nullish(z.boolean()),
  reason: text,
});
export type AttestationRecord = Camel<z.infer<typeof attestationRecord>>;
