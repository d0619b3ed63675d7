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
import { SYSTEM_TYPES } from "./attestation-type.ts";
import { gitCommitInfo } from "./provenance.ts";

const count = z.int().check(z.minimum(0));

const junitResult = z.strictObject({
  name: shortText,
  failures: count,
  errors: count,
  skipped: count,
  total: count,
  /** Duration in seconds. */
  duration: z.number(),
  /** Start of the test suite, in Unix seconds. */
  timestamp: z.nullish(z.number()),
});

export const junitSubmission = z.strictObject({ ...attestationFields, junit_results: z.array(junitResult) });

/** Records test results. Compliant if tests ran and none failed or ended in an error. */
export const attestJunit = attestOperation({
  name: "attestJunit",
  kind: "junit",
  summary: "Record test results",
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

/** Records the findings of a vulnerability scan. Compliant if there are none, of any severity. */
export const attestSnyk = attestOperation({
  name: "attestSnyk",
  kind: "snyk",
  summary: "Record a vulnerability scan",
  schema: snykSubmission,
});

const pullRequest = z.strictObject({
  url: addressText,
  /** State in the words of the provider, such as `MERGED`, `OPEN` or `CLOSED`. */
  state: shortText,
  author: shortText,
  title: shortText,
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
  merged_at: z.nullish(z.number()),
  head_ref: shortText,
  base_ref: z.nullish(shortText),
  /** SHA of the merge commit. An empty text means null. */
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

/** Pull request in the format of older clients. */
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

/** Records the pull requests of a commit. Compliant if there is one, in any state. */
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

/** Records the Jira issues that a commit refers to. Compliant if there are any and all of them exist. */
export const attestJira = attestOperation({
  name: "attestJira",
  kind: "jira",
  summary: "Record the Jira issues that a commit refers to",
  schema: jiraSubmission,
});

const qualityGate = z.looseObject({
  name: z.nullish(shortText),
  /** `OK` if the gate passed. */
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
  /** Analysis in the words of the scanner. */
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

/** Records a Sonar analysis. Compliant if the quality gate passed. */
export const attestSonar = attestOperation({
  name: "attestSonar",
  kind: "sonar",
  summary: "Record a Sonar analysis",
  schema: sonarSubmission,
});

/** Data that the type describes, as JSON or JSON text. */
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
 * Records data of a custom type. Compliant if every rule of the type is true for the data.
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
  type_name: z.enum(SYSTEM_TYPES),
  /** Version of the type. */
  type_version: z.nullish(z.literal([1, "v1"])),
  /** Identifier of the decided control, which must exist. */
  control: z.nullish(identifierText),
  /** Data that the type describes: see `listSystemAttestationTypes`. */
  attestation_data: attestationData,
});

/**
 * Records an attestation of a system type: the facts of a tool, or a decision about a control. Facts are compliant
 * because they were read: policies judge what they say. Only a decision and generic facts contain their result, in
 * `is_compliant`. Callers that are limited to flows can record facts and no decisions.
 */
export const attestSystem = defineOperation({
  ...attestOperation({
    name: "attestSystem",
    kind: "system",
    summary: "Record facts or a decision",
    schema: systemSubmission,
  }),
  spoolable: { field: "type_name", values: SYSTEM_TYPES.filter((type) => type !== "decision") },
});

export const overrideSubmission = z.strictObject({
  ...attestationFields,
  reason: longText.check(z.minLength(1)),
  new_compliance_status: z.boolean(),
  /** Type of the overridden attestation, or of the required one that is missing. */
  original_attestation_type: shortText.check(
    z.regex(/^(generic|junit|snyk|pull_request|jira|sonar|custom:.*|system:.*)$/),
  ),
});

/**
 * Replaces the result of the latest attestation of a name, with a reason. A required attestation can be overridden
 * before it is recorded.
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
  errors: { 404: "No such flow, trail or artifact, or no such attestation is recorded or required" },
  takesIdempotencyKey: true,
});
