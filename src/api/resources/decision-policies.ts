import * as z from "zod/mini";
import { policyName, reference } from "../names.ts";
import { administersOrganization, defineOperation, readsOrganization } from "../operation.ts";
import { longText, shortText } from "../texts.ts";
import { unixTime } from "../times.ts";
import type { Camel } from "../wire-names.ts";

/* Rego policies that decide about controls. Environment policies are another resource, in policies.ts. */

/** The limit of all files together, in bytes, so it is enough for one. */
const MAX_FILE_CHARACTERS = 1024 * 1024;

// Texts of the `.rego` files of a policy, by path.
export const policyFiles = z.record(shortText, z.string().check(z.maxLength(MAX_FILE_CHARACTERS)));

const named = z.object({ identifier: reference });
const errors = { 404: "No such decision policy" } as const;

const version = {
  /** Version, counted from 1. */
  version: z.int(),
  description: z.string(),
  /** Whether denials are recorded as compliant decisions with a warning. */
  warn_only: z.boolean(),
  /** Time before which denials only warn, in Unix seconds. Null if there is none. */
  effective_from: z.nullable(z.number()),
  /** Digest of the files: `sha256:`, and the sha256 of the lines that `sha256sum` prints for them, sorted by path. */
  digest: z.string(),
  created_by: z.string(),
  /** Time of publication of the version, in Unix seconds. */
  created_at: z.number(),
};

const decisionPolicy = z.looseObject({
  identifier: z.string(),
  ...version,
  archived: z.boolean(),
  /** Text of each file, by path. Only in the response for a single decision policy. */
  files: z.optional(z.record(z.string(), z.string())),
  /** All versions, newest first. Only in the response for a single decision policy. */
  versions: z.optional(z.array(z.looseObject(version))),
  /** Identifiers of the controls that are bound to it. Only in the response for a single decision policy. */
  controls: z.optional(z.array(z.string())),
});
export type DecisionPolicy = Camel<z.infer<typeof decisionPolicy>>;

/**
 * Creates the decision policy, or adds a version if something changed. Restores it if it is archived. A service that
 * evaluates policies refuses files that do not compile.
 *
 * @example
 * await client.publishDecisionPolicy({
 *   identifier: "reviewed",
 *   body: { files: { "policy.rego": await readFile("policy.rego", "utf8") }, warnOnly: true },
 * });
 */
export const publishDecisionPolicy = defineOperation({
  ...administersOrganization,
  name: "publishDecisionPolicy",
  summary: "Publish a decision policy",
  route: "PUT /decision-policies/{org}/{identifier}",
  heavy: "never",
  params: z.object({ identifier: policyName }),
  body: {
    kind: "json",
    schemaName: "DecisionPolicyInput",
    schema: z.strictObject({
      /** Text of each `.rego` file, by path. At most 100 files and 1 MB. */
      files: policyFiles,
      description: z._default(longText, ""),
      /** Whether denials only warn. */
      warn_only: z._default(z.boolean(), false),
      /** Time before which denials only warn, in Unix seconds. */
      effective_from: z._default(z.nullable(unixTime), null),
    }),
  },
  example: {
    files: { "policy.rego": "package policy\n\ndefault allow := false\n\nallow if input.trail\n" },
    description: "Each trail is reviewed",
    warn_only: false,
    effective_from: null,
  },
  responses: { 200: decisionPolicy, 201: decisionPolicy },
});

/** Lists the decision policies that are not archived, sorted by identifier, in their latest version. */
export const listDecisionPolicies = defineOperation({
  ...readsOrganization,
  name: "listDecisionPolicies",
  summary: "List decision policies",
  route: "GET /decision-policies/{org}",
  query: z.object({
    /** Whether to list the archived decision policies instead of the others. */
    archived: z._default(z.boolean(), false),
  }),
  responses: { 200: z.array(decisionPolicy) },
});

/** Returns the decision policy with its files, whether it is archived or not. */
export const getDecisionPolicy = defineOperation({
  ...readsOrganization,
  name: "getDecisionPolicy",
  summary: "Get a decision policy",
  route: "GET /decision-policies/{org}/{identifier}",
  params: named,
  query: z.object({
    /** Default: the latest version. */
    version: z.optional(z.int().check(z.minimum(1))),
  }),
  responses: { 200: decisionPolicy },
  errors: { 404: "No such decision policy or version" },
});

/** Archives the decision policy. It is no longer listed; bound controls and decisions remain. */
export const archiveDecisionPolicy = defineOperation({
  ...administersOrganization,
  name: "archiveDecisionPolicy",
  summary: "Archive a decision policy",
  route: "POST /decision-policies/{org}/{identifier}/archive",
  params: named,
  responses: { 200: decisionPolicy },
  errors,
});
