import * as z from "zod/mini";
import { reference, serviceAccountName } from "../names.ts";
import { administersOrganization, defineOperation, readsOrganization } from "../operation.ts";
import { addressText, identifierText, shortText } from "../texts.ts";
import { LATEST_TIME } from "../times.ts";
import type { Camel } from "../wire-names.ts";
import { scopeAnswer, scopeFields } from "./service-accounts.ts";
import { issuedToken } from "./token-exchange.ts";

/* Workflows and service accounts that an organization trusts, and their rights. Only the embedded service has these operations. */

/** Issuer of the tokens of workflows at GitHub.com. */
export const GITHUB_ISSUER = "https://token.actions.githubusercontent.com";

/** Roles of workflows. None may manage accounts and keys, which outlive the token of a workflow. */
export const WORKFLOW_ROLES = ["member", "attester", "approver", "snapshotter", "auditor", "reader"] as const;

const claimText = shortText.check(z.minLength(1));

/** Claims of tokens: their names have dots, slashes and dashes at some issuers. */
const claimName = z.string().check(z.regex(/^[a-zA-Z][\w.:/-]{0,127}$/), z.maxLength(128));

/** Required values by claim: one text or several, in which `*` matches any characters. */
const claims = z.record(
  claimName,
  z.union([claimText, z.array(claimText).check(z.minLength(1), z.maxLength(50))]),
);

const numericId = z.string().check(z.regex(/^\d{1,20}$/), z.maxLength(20));

const NAME = "[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?";
const serviceAccount = z.string().check(z.regex(new RegExp(`^${NAME}/${NAME}$`)), z.maxLength(507));
const uid = z.string().check(z.regex(/^[\w-]{1,64}$/), z.maxLength(64));
/** Project or pipeline, in the words of its system. */
const projectName = z.string().check(z.regex(/^[^\s/].*$/), z.maxLength(512));

const projectId = z.string().check(z.regex(/^[\w{}-]{1,128}$/), z.maxLength(128));
const jwks = z.object({
  /** JSON Web Keys of the type RSA or EC. */
  keys: z.array(z.record(z.string(), z.unknown())).check(z.minLength(1), z.maxLength(20)),
});

const trusted = {
  description: z._default(shortText, ""),
  /** Issuer of the tokens, which the service must accept. */
  issuer: z._default(addressText, GITHUB_ISSUER),
  /** `acme/web`, or `acme/*` for every repository of the owner. The first use within 24 hours stores its IDs. */
  repository: z.nullish(z.string().check(z.regex(/^[\w.-]+\/(?:[\w.-]+|\*)$/), z.maxLength(255))),
  /**
   * ID of the repository at GitHub, which a rename does not change. An update of the policy without IDs for the same
   * repository keeps the stored ones.
   */
  repository_id: z.nullish(numericId),
  repository_owner_id: z.nullish(numericId),
  /**
   * Service account of a Kubernetes cluster, as `namespace/name`. The service then also accepts an issuer that its
   * operator does not name. The first use within 24 hours stores the UID.
   */
  service_account: z.nullish(serviceAccount),
  /** UID of the service account, which a service account of the same name does not have. */
  service_account_uid: z.nullish(uid),
  /**
   * Project or pipeline of another CI system: `group/project` or `group/*` at GitLab,
   * `organization/project/pipeline` at Azure Pipelines, `github.com/acme/web` (the repository) at CircleCI,
   * `organization/pipeline` at Buildkite, `workspace/repository` at Bitbucket. The first use within 24 hours stores its
   * IDs. The operator of the service need not name the issuer.
   */
  project: z.nullish(projectName),
  /**
   * IDs of the project by claim, which a rename does not change: `namespace_id` and `project_id` at GitLab, `prj_id` and
   * `def_id` at Azure Pipelines, `oidc.circleci.com/project-id`, `organization_id` and `pipeline_id` at Buildkite,
   * `repositoryUuid` at Bitbucket.
   */
  project_ids: z.nullish(z.record(claimName, projectId)),
  /** Public keys of an issuer that the service cannot reach, as from `kubectl get --raw /openid/v1/jwks`. */
  jwks: z.nullish(jwks),
  claims: z._default(claims, {}),
  role: z._default(z.enum(WORKFLOW_ROLES), "attester"),
  ...scopeFields,
  /** Expiry, in Unix seconds; null means never. */
  expires_at: z.nullish(z.int().check(z.minimum(1), z.maximum(LATEST_TIME))),
  /** Whether the policy is enabled. A disabled policy trusts no tokens. */
  enabled: z._default(z.boolean(), true),
};

const trustPolicy = z.looseObject({
  name: z.string(),
  description: z.string(),
  issuer: z.string(),
  repository: z.nullish(z.string()),
  repository_id: z.nullish(z.string()),
  repository_owner_id: z.nullish(z.string()),
  /** Service account of a Kubernetes cluster, as `namespace/name`. */
  service_account: z.nullish(z.string()),
  /** UID of the service account; null before the first use. */
  service_account_uid: z.nullish(z.string()),
  /** Project or pipeline of another CI system. */
  project: z.nullish(z.string()),
  /** IDs of the project by claim; null before the first use. */
  project_ids: z.nullish(z.record(z.string(), z.string())),
  /** Public keys of the issuer; null if they are read from its address. */
  jwks: z.nullish(
    z.looseObject({
      /** JSON Web Keys. */
      keys: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
  claims: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  role: z.string(),
  ...scopeAnswer,
  created_by: z.string(),
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
  expires_at: z.nullish(z.number()),
  /** End of the time in which the first use stores the IDs, in Unix seconds. Null if they are stored or not needed. */
  pinned_until: z.nullish(z.number()),
  /** Time of the last use, in Unix seconds; null before the first. */
  last_used_at: z.nullish(z.number()),
  enabled: z.boolean(),
  /** Number of exchanged tokens. */
  uses: z.number(),
});
export type TrustPolicyRecord = Camel<z.infer<typeof trustPolicy>>;

const policyParams = z.object({ policy_name: reference });
const NO_POLICY = { 404: "No such trust policy" };

/**
 * Trusts the tokens of a workflow or of a Kubernetes service account with a role, in all or in named flows and environments.
 *
 * @example
 * await client.createTrustPolicy({ body: { name: "web", repository: "acme/web", flows: ["web"] } });
 */
export const createTrustPolicy = defineOperation({
  ...administersOrganization,
  name: "createTrustPolicy",
  summary: "Create a trust policy",
  route: "POST /trust-policies/{org}",
  body: { kind: "json", schema: z.object({ name: serviceAccountName, ...trusted }) },
  responses: { 201: trustPolicy },
  errors: { 409: "A trust policy or service account with this name already exists" },
  conflictIsFinal: true,
});

/** Lists the trust policies, sorted by name. */
export const listTrustPolicies = defineOperation({
  ...readsOrganization,
  name: "listTrustPolicies",
  summary: "List trust policies",
  route: "GET /trust-policies/{org}",
  access: "audit",
  responses: { 200: z.array(trustPolicy) },
});

/** Returns the policy with its conditions and rights. */
export const getTrustPolicy = defineOperation({
  ...readsOrganization,
  name: "getTrustPolicy",
  summary: "Get a trust policy",
  route: "GET /trust-policies/{org}/{policy_name}",
  access: "audit",
  params: policyParams,
  responses: { 200: trustPolicy },
  errors: NO_POLICY,
});

/** Replaces the conditions and rights of the policy. Its access tokens stop working at once. */
export const updateTrustPolicy = defineOperation({
  ...administersOrganization,
  name: "updateTrustPolicy",
  summary: "Replace a trust policy",
  route: "PUT /trust-policies/{org}/{policy_name}",
  params: policyParams,
  body: { kind: "json", schema: z.object(trusted) },
  responses: { 200: trustPolicy },
  errors: NO_POLICY,
});

/** Deletes the policy. Its access tokens stop working at once. */
export const deleteTrustPolicy = defineOperation({
  ...administersOrganization,
  name: "deleteTrustPolicy",
  summary: "Delete a trust policy",
  route: "DELETE /trust-policies/{org}/{policy_name}",
  params: policyParams,
  responses: { 200: z.string() },
  errors: NO_POLICY,
});

/**
 * Evaluates a token against each trust policy and lists the claims that do not match. Nothing is recorded, and the
 * token can still be exchanged.
 */
export const explainTrust = defineOperation({
  ...administersOrganization,
  name: "explainTrust",
  summary: "Explain trust",
  route: "POST /trust-policies/{org}/explain",
  body: { kind: "json", schema: z.object({ token: issuedToken }) },
  responses: {
    200: z.looseObject({
      /** Claims of the token. */
      claims: z.record(z.string(), z.unknown()),
      policies: z.array(
        z.looseObject({
          name: z.string(),
          fits: z.boolean(),
          /** Mismatches by claim. */
          problems: z.record(z.string(), z.string()),
        }),
      ),
      /** Name of the policy that an exchange would use; null if none matches, or several do. */
      policy: z.nullish(identifierText),
    }),
  },
  errors: {
    401: "The issuer of the token is not trusted, or the token has an invalid signature or has expired",
  },
});
