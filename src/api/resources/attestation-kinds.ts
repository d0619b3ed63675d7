import * as z from "zod/mini";
import { commitSha, customTypeName } from "../names.ts";
import { defineOperation, insideFlow, MAX_JSON_PART_BYTES } from "../operation.ts";
import { addressText, identifierText, longText, shortText } from "../texts.ts";
import {
  attestationAnswerHeaders,
  attestationFields,
  attestOperation,
  trailParams,
} from "./attestation-fields.ts";
import { gitCommitInfo } from "./provenance.ts";

const count = z.int().check(z.minimum(0));

const junitResult = z.strictObject({
  name: shortText,
  failures: count,
  errors: count,
  skipped: count,
  total: count,
  /** Seconds. */
  duration: z.number(),
  /** Unix seconds. */
  timestamp: z.nullish(z.number()),
});

export const junitSubmission = z.strictObject({ ...attestationFields, junit_results: z.array(junitResult) });

/** Compliant when tests ran, and none failed or broke. */
export const attestJunit = attestOperation({
  name: "attestJunit",
  kind: "junit",
  summary: "Record the results of tests",
  schema: junitSubmission,
});

const snykIssue = z.looseObject({
  id: shortText,
  message: longText,
  locations: z._default(z.nullish(z.array(z.looseObject({ uri: addressText, lines: longText }))), []),
  priority_score: z.nullish(z.number()),
});
const snykIssues = z.nullish(z.array(snykIssue));
const snykProject = z.strictObject({
  low_count: count,
  medium_count: count,
  high_count: count,
  low: snykIssues,
  medium: snykIssues,
  high: snykIssues,
});

export const snykSubmission = z.strictObject({
  ...attestationFields,
  snyk_results: z.strictObject({
    schema_version: z._default(z.int(), 1),
    tool: z.strictObject({ name: shortText, version: shortText }),
    results: z.array(snykProject),
  }),
});

/** Compliant when nothing was found, of whatever severity. */
export const attestSnyk = attestOperation({
  name: "attestSnyk",
  kind: "snyk",
  summary: "Record what a scan for vulnerabilities found",
  schema: snykSubmission,
});

const pullRequest = z.strictObject({
  url: addressText,
  /** In the words of the provider: `MERGED`, `OPEN`, `CLOSED` … */
  state: shortText,
  author: shortText,
  title: shortText,
  /** Unix seconds. */
  created_at: z.number(),
  merged_at: z.nullish(z.number()),
  head_ref: shortText,
  base_ref: z.nullish(shortText),
  /** Empty is null. */
  merge_commit: z.nullish(z.union([z.literal(""), commitSha])),
  approvers: z.nullish(
    z.array(
      z.looseObject({
        username: shortText,
        state: z.nullish(shortText),
        timestamp: z.nullish(z.number()),
      }),
    ),
  ),
  commits: z.array(gitCommitInfo),
});

/** The shape of older clients. */
const briefPullRequest = z.strictObject({
  url: addressText,
  state: shortText,
  merge_commit: z.union([z.literal(""), commitSha]),
  approvers: z.nullish(z.array(shortText)),
});

export const pullRequestSubmission = z.strictObject({
  ...attestationFields,
  git_provider: z.enum(["github", "gitlab", "bitbucket", "azure"]),
  pull_requests: z.array(z.union([pullRequest, briefPullRequest])),
});

/** Compliant when there is a pull request, in whatever state. */
export const attestPullRequest = attestOperation({
  name: "attestPullRequest",
  kind: "pull_request",
  summary: "Record the pull requests of a commit",
  schema: pullRequestSubmission,
});

export const jiraSubmission = z.strictObject({
  ...attestationFields,
  jira_results: z.array(
    z.strictObject({
      issue_id: shortText,
      issue_url: addressText,
      issue_exists: z.boolean(),
      issue_fields: z.nullish(z.record(shortText, z.unknown())),
    }),
  ),
});

/** Compliant when there is an issue, and all of them exist. */
export const attestJira = attestOperation({
  name: "attestJira",
  kind: "jira",
  summary: "Record the Jira issues that a commit refers to",
  schema: jiraSubmission,
});

const qualityGate = z.looseObject({
  name: z.nullish(shortText),
  /** `OK` when the gate was passed. */
  status: shortText,
  conditions: z.array(
    z.looseObject({
      metric: shortText,
      errorThreshold: shortText,
      operator: shortText,
      status: shortText,
      value: z.nullish(shortText),
      onLeakPeriod: z.nullish(z.boolean()),
    }),
  ),
});

export const sonarSubmission = z.strictObject({
  ...attestationFields,
  /** As the scanner reports them, so in its names. */
  sonar_results: z.looseObject({
    serverUrl: z.nullish(addressText),
    taskId: z.nullish(shortText),
    status: z.nullish(shortText),
    analysedAt: shortText,
    revision: shortText,
    changedAt: z.nullish(shortText),
    project: z.looseObject({ key: shortText, url: addressText, name: z._default(z.nullish(shortText), "") }),
    qualityGate: z.nullish(qualityGate),
  }),
});

/** Compliant when the quality gate was passed. */
export const attestSonar = attestOperation({
  name: "attestSonar",
  kind: "sonar",
  summary: "Record a Sonar analysis",
  schema: sonarSubmission,
});

/** What is attested, as the type describes it: JSON, or JSON text. */
const attestationData = z.union([
  z.record(z.string(), z.unknown()),
  z.array(z.unknown()),
  z.string().check(z.minLength(1), z.maxLength(MAX_JSON_PART_BYTES)),
]);

export const customSubmission = z.strictObject({
  ...attestationFields,
  type_name: customTypeName,
  attestation_data: attestationData,
});

/**
 * Compliant when every rule of the type holds for the data.
 *
 * @example
 * await client.attestCustom({
 *   flowName: "web",
 *   trailName: sha,
 *   body: { attestationName: "coverage", typeName: "coverage", attestationData: { percent: 81 } },
 * });
 */
export const attestCustom = attestOperation({
  name: "attestCustom",
  kind: "custom",
  summary: "Record an attestation of a custom type",
  schema: customSubmission,
});

export const systemSubmission = z.looseObject({
  ...attestationFields,
  type_name: z.enum(["decision", "sbom"]),
  /** The identifier of the control that is decided about. The control must exist. */
  control: z.nullish(identifierText),
  /**
   * For a decision `{"is_compliant": true}` or false, and further data. For an SBOM its `format`, the sha256 of the
   * file (`original_fingerprint`) and the `document`.
   */
  attestation_data: attestationData,
});

/**
 * Records an attestation of a type that the service defines, such as a decision or an SBOM. Compliant unless its data
 * says otherwise.
 */
export const attestSystem = defineOperation({
  ...attestOperation({
    name: "attestSystem",
    kind: "system",
    summary:
      "Record an attestation of a type that the service defines: a decision about a control, or an SBOM",
    schema: systemSubmission,
  }),
  // A decision about a control counts for its artifact in every flow.
  reach: "never",
  spoolable: false,
});

export const overrideSubmission = z.strictObject({
  ...attestationFields,
  reason: longText.check(z.minLength(1)),
  new_compliance_status: z.boolean(),
  /** The type of the attestation that is overridden, or that the template asks for and nobody attested. */
  original_attestation_type: shortText.check(
    z.regex(/^(generic|junit|snyk|pull_request|jira|sonar|custom:.*|system:.*)$/),
  ),
});

/**
 * Replaces the result of the latest attestation of a name, with a reason. A required attestation can be overridden
 * before it was recorded.
 */
export const overrideAttestation = defineOperation({
  name: "overrideAttestation",
  summary: "Override an attestation",
  route: "POST /attestations/{org}/{flow_name}/trail/{trail_name}/override",
  access: "approve",
  reach: insideFlow,
  heavy: false,
  params: trailParams,
  body: { kind: "json", schema: overrideSubmission },
  responses: { 200: z.string(), 201: z.string() },
  answerHeaders: attestationAnswerHeaders,
  errors: { 404: "There is no such flow, trail or artifact, or the name is of no attestation here" },
  takesIdempotencyKey: true,
});
