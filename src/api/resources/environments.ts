import * as z from "zod/mini";
import { environmentName, newEnvironmentName, policyName, reference } from "../names.ts";
import { defineOperation, insideEnvironment, readsEnvironment, writesOrganization } from "../operation.ts";
import { fewItemsPerPage, pageFields, pageNumber } from "../paging.ts";
import { longText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

export const ENVIRONMENT_TYPES = [
  "K8S",
  "ECS",
  "S3",
  "lambda",
  "server",
  "docker",
  "azure-apps",
  "cloud-run",
  "logical",
] as const;

const environmentType = z.enum(ENVIRONMENT_TYPES);

/** Maximum number of names in a request, because each is looked up. */
const MAX_NAMES = 1_000;
/** Maximum number of tags in a filter. */
const MAX_TAG_FILTERS = 100;

const environmentNames = z.array(environmentName).check(z.maxLength(MAX_NAMES));
const policyNames = z.array(policyName).check(z.maxLength(MAX_NAMES));

const named = z.object({ env_name: reference });
const errors = { 404: "No such environment, or it is archived" } as const;

const environment = z.looseObject({
  org: z.string(),
  name: z.string(),
  type: z.string(),
  description: z.nullish(z.string()),
  /** Time of the last change, in Unix seconds with a fraction. */
  last_modified_at: z.optional(z.number()),
  last_reported_at: z.nullish(z.number()),
  /** Time of the last change of its running artifacts or their compliance, in Unix seconds. */
  last_changed_at: z.nullish(z.number()),
  /** Whether the running artifacts satisfy the policies; null without policies or before the first report. */
  state: z.nullish(z.boolean()),
  include_scaling: z.optional(z.boolean()),
  tags: z.optional(z.record(z.string(), z.unknown())),
  policies: z.nullish(z.array(z.string())),
  /** Names of the environments that a logical environment combines; null for a physical one. */
  included_environments: z.nullish(z.array(z.string())),
});
export type Environment = Camel<z.infer<typeof environment>>;

/** Creates the environment or updates the given fields of an existing one. */
export const createEnvironment = defineOperation({
  name: "createEnvironment",
  summary: "Create or update an environment",
  route: "PUT /environments/{org}",
  access: "report",
  reach: { made: { environments: "name" }, also: { environments: "included_environments" } },
  heavy: false,
  body: {
    kind: "json",
    schemaName: "CreateEnvironmentPutInput",
    schema: z.strictObject({
      name: environmentName,
      type: environmentType,
      /** Description for people. On an update, an empty description keeps the stored one. */
      description: longText,
      /** Ignored and always returned as false; for compatibility. */
      include_scaling: z.nullish(z.boolean()),
      require_provenance: z.nullish(z.boolean()),
      included_environments: z.nullish(environmentNames),
      policies: z.nullish(policyNames),
    }),
  },
  responses: { 200: z.string(), 201: z.string() },
});

/**
 * Lists the environments that are not archived. With `page` or `per_page` the response is one page, otherwise the
 * whole list.
 *
 * @example
 * const { body } = await client.listEnvironments({ type: ["K8S"], tag: ["team:web"] });
 */
export const listEnvironments = defineOperation({
  name: "listEnvironments",
  summary: "List environments",
  route: "GET /environments/{org}",
  access: "read",
  reach: { list: {} },
  heavy: false,
  query: z.object({
    page: z.optional(pageNumber),
    per_page: z.optional(fewItemsPerPage),
    sort: z._default(z.enum(["name", "last_modified_at", "last_changed_at"]), "name"),
    sort_direction: z._default(z.enum(["asc", "desc"]), "asc"),
    /** Part of the name, in any letter case. */
    name: z.optional(shortText),
    type: z.optional(z.array(environmentType)),
    /** Tags as `key:value` (or `key=value`), or `key` for any value. An environment must have all of them. */
    tag: z.optional(z.array(shortText.check(z.minLength(1))).check(z.maxLength(MAX_TAG_FILTERS))),
    /** IDs of spaces. A service without spaces finds nothing in them. An empty list has no effect. */
    space_id: z.optional(z.array(shortText)),
  }),
  responses: {
    200: z.union([
      z.array(environment),
      z.looseObject({ ...pageFields, environments: z.array(environment) }),
    ]),
  },
});

/** Returns the environment with its state and attached policies. */
export const getEnvironment = defineOperation({
  ...readsEnvironment,
  name: "getEnvironment",
  summary: "Get an environment",
  route: "GET /environments/{org}/{env_name}",
  params: named,
  responses: { 200: environment },
  errors,
});

/** Changes the given fields. An empty description clears it. */
export const updateEnvironment = defineOperation({
  name: "updateEnvironment",
  summary: "Update an environment",
  route: "PATCH /environments/{org}/{env_name}",
  access: "write",
  reach: { ...insideEnvironment, also: { environments: "included_environments" } },
  heavy: false,
  params: named,
  body: {
    kind: "json",
    schema: z.strictObject({
      /** Description for people. An empty text clears it. */
      description: z.nullish(longText),
      include_scaling: z.nullish(z.boolean()),
      included_environments: z.nullish(environmentNames),
      policies: z.nullish(policyNames),
    }),
  },
  responses: { 200: z.unknown() },
  errors: { 404: "No such environment or policy" },
});

/** Renames the environment. The former name keeps leading to it until another environment takes that name. */
export const renameEnvironment = defineOperation({
  name: "renameEnvironment",
  summary: "Rename an environment",
  route: "PUT /environments/{org}/{env_name}/rename",
  access: "write",
  // The name could then go to an environment without policies.
  reach: "never",
  heavy: false,
  params: named,
  body: { kind: "json", schema: z.strictObject({ new_name: newEnvironmentName }) },
  responses: { 200: z.string() },
  errors,
});

/** Archives the environment. Its records remain, but it is no longer listed and its name is free. */
export const archiveEnvironment = defineOperation({
  name: "archiveEnvironment",
  summary: "Archive an environment",
  route: "PUT /environments/{org}/{env_name}/archive",
  access: "administer",
  // The name could then go to an environment without policies.
  reach: "never",
  heavy: false,
  params: named,
  responses: { 200: z.string() },
  errors,
});

/** Adds a physical environment to the logical environment. */
export const joinEnvironment = defineOperation({
  ...writesOrganization,
  name: "joinEnvironment",
  summary: "Add an environment to a logical one",
  route: "PUT /environments/{org}/{env_name}/join",
  params: named,
  body: { kind: "json", schema: z.strictObject({ physical_env_name: shortText }) },
  responses: { 200: z.string() },
  errors,
});

/** The running artifacts are evaluated at once, in a new snapshot. */
const choosesPolicies = {
  // The right to deploy to an environment does not include what it requires.
  ...writesOrganization,
  params: named,
  body: { kind: "json", schema: z.strictObject({ policy_names: policyNames.check(z.minLength(1)) }) },
  responses: { 200: z.string() },
  errors: { 404: "No such environment or policy" },
} as const;

/** Attaches the policies. The running artifacts are evaluated at once. */
export const attachPolicies = defineOperation({
  ...choosesPolicies,
  name: "attachPolicies",
  summary: "Attach policies to an environment",
  route: "POST /environments/{org}/{env_name}/policies",
});

/** Detaches the policies. The running artifacts are evaluated at once. */
export const detachPolicies = defineOperation({
  ...choosesPolicies,
  name: "detachPolicies",
  summary: "Detach policies from an environment",
  route: "DELETE /environments/{org}/{env_name}/policies",
});
