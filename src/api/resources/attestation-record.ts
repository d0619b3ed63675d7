import * as z from "zod/mini";
import type { Camel } from "../wire-names.ts";
import { recordOrigin, spooledBy } from "./origin.ts";
import { gitCommitInfo } from "./provenance.ts";

/*
 * Attestations as read. Older and newer services omit or add fields, and one unusual record must not make a whole list
 * unreadable. So these schemas do not repeat the checks of submissions.
 */

const text = z.nullish(z.string());
const number = z.nullish(z.number());

/** Links by label. Older services may return plain addresses. */
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
  /** Duration in seconds. */
  duration: number,
  /** Start of the test suite, in Unix seconds. */
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
  /** State in the words of the provider, such as `MERGED`, `OPEN` or `CLOSED`. */
  state: text,
  author: text,
  title: text,
  /** Time of creation, in Unix seconds. */
  created_at: number,
  merged_at: number,
  head_ref: text,
  base_ref: text,
  merge_commit: text,
  /** People who approved the pull request; only names if an older client sent them. */
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

/** Results of some kinds, which artifacts also show. */
export const kindResults = {
  junit_results: z.nullish(z.array(testResult)),
  git_provider: text,
  pull_requests: z.nullish(z.array(pullRequest)),
  jira_results: z.nullish(z.array(issue)),
};
export const snykResults = z.nullish(scanResults);

/** A recorded attestation. Its type determines the additional fields. */
export const attestationRecord = z.looseObject({
  attestation_id: z.string(),
  attestation_name: z.string(),
  /** A built-in kind, `custom:<name>`, `system:<name>` or `override`. */
  attestation_type: z.string(),
  is_compliant: z.nullish(z.boolean()),
  /** Time of creation, in Unix seconds with a fraction. */
  created_at: z.number(),
  description: text,
  /** Whether it has evidence files. */
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
  /** Template names of the attested artifacts. */
  target_artifacts: z.nullish(z.array(z.string())),
  git_commit_info: z.nullish(commitRecord),
  external_urls: linksByLabel,
  annotations: z.nullish(z.record(z.string(), z.unknown())),
  /** Internal location of the evidence file. */
  evidence_archive_path: text,
  /** Sha256 of the evidence file, in hex. */
  evidence_archive_fingerprint: text,
  _links: z.nullish(z.looseObject({ self: link, evidence: link })),

  ...kindResults,
  processed_snyk_results: snykResults,
  /** For facts of a scanner (`system:sarif`), in the fields of a Snyk scan. */
  sarif_results: snykResults,
  /** Sonar analysis, in the words of the scanner. */
  sonar_results: z.nullish(z.record(z.string(), z.unknown())),
  /** For custom and system types: name of the type. `type_version` is the version that evaluated the data. */
  type_name: text,
  type_version: number,
  attestation_data: z.optional(z.unknown()),
  /** For custom types: the result of each rule in order, up to the first that could not be evaluated. */
  rule_results: z.nullish(z.array(z.boolean())),
  /** Reason why the data could not be evaluated, so that it is not compliant. */
  evaluation_error: text,
  /** For decisions: identifier of the control. */
  control: text,

  /** For overrides: ID of the attestation whose result is replaced. */
  overridden_attestation_id: text,
  original_attestation_type: text,
  new_compliance_status: z.nullish(z.boolean()),
  reason: text,
});
export type AttestationRecord = Camel<z.infer<typeof attestationRecord>>;
