import * as z from "zod/mini";
import { policyName, reference } from "../names.ts";
import { defineOperation, readsCommon, readsOrganization, writesOrganization } from "../operation.ts";
import { longText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";
import { policyExpression } from "./policy-evaluations.ts";

const policyVersion = z.looseObject({
  /** Version, counted from 1. */
  version: z.int(),
  /** Reason for the change, from its author. */
  comment: z.optional(z.string()),
  /** Time of creation, in Unix seconds. */
  timestamp: z.number(),
  created_by: z.string(),
  /** The uploaded file. Empty in lists, and for early versions if all together exceed 10 MB. */
  policy_yaml: z.string(),
});

const policyEvent = z.looseObject({
  /** `creation`, `metadata_update`, `new_version`, `renaming` or `archiving`. */
  type: z.string(),
  timestamp: z.number(),
  user: z.string(),
  data: z.optional(z.record(z.string(), z.unknown())),
});

const policy = z.looseObject({
  name: z.string(),
  description: z.string(),
  created_by: z.string(),
  created_at: z.nullish(z.number()),
  last_modified_at: z.nullish(z.number()),
  archived: z.optional(z.boolean()),
  /** Versions, oldest first. */
  versions: z.optional(z.array(policyVersion)),
  /** Events, oldest first. */
  events: z.optional(z.array(policyEvent)),
  /** Names of the environments that the policy is attached to. */
  consuming_envs: z.optional(z.array(z.string())),
});
export type Policy = Camel<z.infer<typeof policy>>;

const conditional = z.looseObject({ if_condition: policyExpression });
const booleanRule = z.looseObject({
  required: z.boolean(),
  exceptions: z.array(conditional),
  /** For `provenance`, in the embedded service: a condition that the report of the artifact must also meet. */
  must_meet: z.optional(policyExpression),
});

/** Requirements of a policy version, as shown in snapshots. */
export const policyDump = z.looseObject({
  schema_version: z.string(),
  artifacts: z.looseObject({
    /** Embedded service only: names of the flows that count. Absent if all do. */
    flows: z.optional(z.array(z.string())),
    provenance: booleanRule,
    trail_compliance: booleanRule,
    attestations: z.array(
      z.looseObject({
        if_condition: z.nullish(policyExpression),
        name: z.string(),
        type: z.string(),
        must_be_compliant: z.boolean(),
        for_control: z.nullish(z.string()),
        /** Embedded service only: the decision policy that must have decided, as `IDENTIFIER` or `IDENTIFIER@VERSION`. */
        decided_by: z.optional(z.string()),
        /** Embedded service only: a condition that the attestation must also meet. Absent if there is none. */
        must_meet: z.optional(policyExpression),
      }),
    ),
  }),
});
export type PolicyDump = Camel<z.infer<typeof policyDump>>;

/**
 * Creates the policy from a YAML file, or adds a version if the file changed.
 *
 * @example
 * ```ts
 * await client.putPolicy({
 *   body: { name: "production", comment: "require scans" },
 *   files: { policyFile: { name: "production.yml", content: await openAsBlob("production.yml") } },
 * });
 * ```
 */
export const putPolicy = defineOperation({
  ...writesOrganization,
  name: "putPolicy",
  summary: "Create or update a policy",
  route: "PUT /policies/{org}",
  body: {
    kind: "multipart",
    part: "payload",
    schema: z.strictObject({
      name: policyName,
      description: z._default(longText, ""),
      type: z._default(z.literal("env"), "env"),
      /** Reason for the change. */
      comment: z._default(longText, ""),
    }),
    /** YAML file. Required for a new policy. Without it, only the description of an existing policy changes. */
    files: { policy_file: { count: "one" } },
  },
  responses: { 200: policy, 201: policy },
  errors: { 413: "The file is larger than 10 MB" },
});

/** Lists the policies, sorted by name, without the text of their files. `getPolicy` returns the text. */
export const listPolicies = defineOperation({
  ...readsOrganization,
  name: "listPolicies",
  summary: "List policies",
  route: "GET /policies/{org}",
  responses: { 200: z.array(policy) },
});

/** Returns the policy with its versions and files. */
export const getPolicy = defineOperation({
  ...readsOrganization,
  name: "getPolicy",
  summary: "Get a policy",
  route: "GET /policies/{org}/{policy_name}",
  params: z.object({ policy_name: reference }),
  responses: { 200: policy },
  errors: { 404: "No such policy" },
});

/** Returns the JSON Schema of environment policies, version 1. */
export const getPolicySchema = defineOperation({
  ...readsCommon,
  name: "getPolicySchema",
  summary: "Get the schema of environment policies",
  route: "GET /schemas/environment-policy/v1",
  responses: { 200: z.record(z.string(), z.unknown()) },
});
