import type { TrustPolicyRecord } from "../../../api/resources/trust-policies.ts";
import { record, recordChange } from "../../events/record.ts";
import type { Organization } from "../../kernel/caller.ts";
import { Conflict, NotFound } from "../../kernel/errors.ts";
import type { Scope } from "../../kernel/scope.ts";
import { type Handler, requestContextOf } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { sha256 } from "../../store/target-addresses.ts";
import { comparePolicies, fits } from "./compare-policies.ts";
import {
  addPolicy,
  changePolicy,
  findPolicy,
  isFor,
  keysFor,
  policiesFor,
  policiesOf,
  removePolicy,
  type TrustPolicy,
} from "./policies.ts";
import { keepingIds, trustedIn } from "./policy-input.ts";

export const createTrustPolicy: Handler<"createTrustPolicy"> = async (call, context) => {
  const { org, caller, body } = call;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  const trusted = trustedIn(body, context.issuers, now);
  const policy = await context.store.write(async (db) => {
    const { name } = body;
    const made = await addPolicy(db, { ...trusted, orgId: org.id, name, createdBy: caller.accountName, now });
    if (made === undefined) {
      const problem = `There is a trust policy or a service account '${name}' in organization '${org.name}': use another name, or change that policy with updateTrustPolicy`;
      throw new Conflict("resource.exists", problem);
    }
    const after = auditedState(made);
    await recordChange(db, requestContext, { type: "trust_policy.created", subject: made, after });
    return made;
  });
  return { status: 201, body: policyView(policy) };
};

export const listTrustPolicies: Handler<"listTrustPolicies"> = async ({ org }, { store, now }) => {
  const policies = await policiesOf(store.read, org.id, now());
  return { status: 200, body: policies.map(policyView) };
};

export const getTrustPolicy: Handler<"getTrustPolicy"> = async ({ org, params }, { store, now }) => ({
  status: 200,
  body: policyView(await requirePolicy(store.read, org, params.policyName, now())),
});

export const updateTrustPolicy: Handler<"updateTrustPolicy"> = async (call, context) => {
  const { org, params, body } = call;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  const trusted = trustedIn(body, context.issuers, now);
  const policy = await context.store.write(async (db) => {
    const before = await requirePolicy(db, org, params.policyName, now);
    await changePolicy(db, before, keepingIds(trusted, before), now);
    const after = await requirePolicy(db, org, params.policyName, now);
    await recordChange(db, requestContext, {
      type: "trust_policy.changed",
      subject: before,
      before: auditedState(before),
      after: auditedState(after),
    });
    return after;
  });
  return { status: 200, body: policyView(policy) };
};

export const deleteTrustPolicy: Handler<"deleteTrustPolicy"> = async (call, context) => {
  const { org, params } = call;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  await context.store.write(async (db) => {
    const policy = await requirePolicy(db, org, params.policyName, now);
    await removePolicy(db, policy, now);
    await record(db, requestContext, { type: "trust_policy.deleted", subject: policy, data: {} });
  });
  return { status: 200, body: "OK" };
};

export const explainTrust: Handler<"explainTrust"> = async ({ org, body }, context) => {
  const { store, issuers, links, now } = context;
  const trusted = (issuer: string) => keysFor(store.read, { orgId: org.id, issuer, now: now() });
  const token = await issuers.verify(body.token, links.organization(org.name), trusted);
  const { issuer, claims } = token;
  const policies = await policiesFor(store.read, { orgId: org.id, issuer, now: now() });
  const comparisons = comparePolicies(policies.filter(isFor(token)), { claims, now: now() });
  const [first, second] = comparisons.filter(fits);
  return {
    status: 200,
    body: {
      claims: { ...claims },
      policies: comparisons.map((each) => ({
        name: each.policy.name,
        fits: fits(each),
        problems: { ...each.problems },
      })),
      policy: first !== undefined && second === undefined ? first.policy.name : null,
    },
  };
};

/** @throws NotFound */
async function requirePolicy(
  db: Database,
  org: Organization,
  name: string,
  now: number,
): Promise<TrustPolicy> {
  const policy = await findPolicy(db, org.id, name, now);
  if (policy === undefined)
    throw new NotFound("trust_policy.not_found", `Trust policy '${name}' does not exist`);
  return policy;
}

function auditedState(policy: TrustPolicy) {
  return {
    issuer: policy.issuer,
    repository: policy.repository,
    repository_id: policy.repositoryId,
    repository_owner_id: policy.repositoryOwnerId,
    service_account: policy.serviceAccount,
    service_account_uid: policy.serviceAccountUid,
    project: policy.project,
    project_ids: policy.projectIds,
    jwks_sha256: policy.jwks === null ? null : sha256(policy.jwks),
    claims: policy.claims,
    privilege: policy.role,
    ...scopeState(policy.scope),
    expires_at: policy.expiresAt,
    enabled: policy.isEnabled,
  };
}

function scopeState(scope: Scope) {
  return { flows: scope?.flows ?? null, environments: scope?.environments ?? null };
}

function policyView(policy: TrustPolicy): TrustPolicyRecord {
  const { name, description, issuer, repository, repositoryId, repositoryOwnerId, role } = policy;
  const { serviceAccount, serviceAccountUid, project, jwks } = policy;
  const { createdBy, createdAt, expiresAt, pinnedUntil, lastUsedAt, isEnabled: enabled, uses } = policy;
  return {
    ...{ name, description, issuer, repository, repositoryId, repositoryOwnerId, role },
    ...{ serviceAccount, serviceAccountUid, project, jwks: jwks === null ? null : JSON.parse(jwks) },
    projectIds: policy.projectIds === null ? null : { ...policy.projectIds },
    claims: Object.fromEntries(
      Object.entries(policy.claims).map(([claim, wanted]) => [
        claim,
        typeof wanted === "string" ? wanted : [...wanted],
      ]),
    ),
    ...scopeState(policy.scope),
    ...{ createdBy, createdAt, expiresAt, pinnedUntil, lastUsedAt, enabled, uses },
  };
}
