import * as z from "zod/mini";
import { reference, serviceAccountName } from "../names.ts";
import { administersOrganization, defineOperation, readsOrganization } from "../operation.ts";
import { addressText, identifierText, shortText } from "../texts.ts";
import { LATEST_TIME } from "../times.ts";
import type { Camel } from "../wire-names.ts";
import { scopeAnswer, scopeFields } from "./service-accounts.ts";
import { issuedToken } from "./token-exchange.ts";

/*
 * Which workflows an organization trusts, and with what. The embedded service alone has these operations.
 */

/** Who signs the tokens of workflows at GitHub.com. */
export const GITHUB_ISSUER = "https://token.actions.githubusercontent.com";

/** What a workflow may be. Accounts and keys, which outlive its token, are beyond all of them. */
export const WORKFLOW_ROLES = ["member", "attester", "approver", "snapshotter", "auditor", "reader"] as const;

const claimText = shortText.check(z.minLength(1));

/** What a token must say, by claim: one text or several, in which `*` stands for any characters. */
const claims = z.record(
  z.string().check(z.regex(/^[a-zA-Z][\w.:/-]{0,127}$/), z.maxLength(128)),
  z.union([claimText, z.array(claimText).check(z.minLength(1), z.maxLength(50))]),
);

const numericId = z.string().check(z.regex(/^\d{1,20}$/), z.maxLength(20));

const trusted = {
  description: z._default(shortText, ""),
  /** Who signs the tokens. It must be one of those that the service takes. */
  issuer: z._default(addressText, GITHUB_ISSUER),
  /** `acme/web`, or `acme/*` for every repository of the owner. Its ids are kept at the first use, within 24 hours. */
  repository: z.nullish(z.string().check(z.regex(/^[\w.-]+\/(?:[\w.-]+|\*)$/), z.maxLength(255))),
  /**
   * GitHub's ids, which stay with the repository and its owner whatever their names become. A change of a policy that
   * gives no ids for the same repository keeps those of before.
   */
  repository_id: z.nullish(numericId),
  repository_owner_id: z.nullish(numericId),
  claims: z._default(claims, {}),
  role: z._default(z.enum(WORKFLOW_ROLES), "attester"),
  ...scopeFields,
  /** Unix seconds; null is never. */
  expires_at: z.nullish(z.int().check(z.minimum(1), z.maximum(LATEST_TIME))),
  /** `false` trusts nobody by it until it is put with `true`. */
  enabled: z._default(z.boolean(), true),
};

const trustPolicy = z.looseObject({
  name: z.string(),
  description: z.string(),
  issuer: z.string(),
  repository: z.nullish(z.string()),
  repository_id: z.nullish(z.string()),
  repository_owner_id: z.nullish(z.string()),
  claims: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  role: z.string(),
  ...scopeAnswer,
  created_by: z.string(),
  /** Unix seconds, like all times here. */
  created_at: z.number(),
  expires_at: z.nullish(z.number()),
  /** Until when the first use keeps the ids. Null when they are kept, or none are needed. */
  pinned_until: z.nullish(z.number()),
  /** Null when it was not used yet. */
  last_used_at: z.nullish(z.number()),
  enabled: z.boolean(),
  /** How many tokens were exchanged by it. */
  uses: z.number(),
});
export type TrustPolicyRecord = Camel<z.infer<typeof trustPolicy>>;

const policyParams = z.object({ policy_name: reference });
const NO_POLICY = { 404: "No such trust policy" };

/**
 * Trusts the tokens of a workflow with a role, in all or in named flows and environments.
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
  errors: { 409: "There is a trust policy or a service account of this name" },
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
      /** What the token says. */
      claims: z.record(z.string(), z.unknown()),
      policies: z.array(
        z.looseObject({
          name: z.string(),
          fits: z.boolean(),
          /** What does not fit, by claim. */
          problems: z.record(z.string(), z.string()),
        }),
      ),
      /** The policy that an exchange would take; null when none fits, or several do. */
      policy: z.nullish(identifierText),
    }),
  },
  errors: { 401: "The token is of an issuer that is not trusted, was not signed by it, or has ended" },
});
