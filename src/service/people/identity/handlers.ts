import type { TrustPolicyRecord } from "../../../api/resources/trust-policies.ts";
import { record, recordChange } from "../../events/record.ts";
import type { Organization } from "../../kernel/caller.ts";
import { Conflict, Invalid, invalidInput, NotFound } from "../../kernel/errors.ts";
import { isSameName } from "../../kernel/github-names.ts";
import { type Scope, scopeOf } from "../../kernel/scope.ts";
import type { Issuers } from "../../operation/context.ts";
import { type Handler, requestContextOf } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { gitHubOf } from "./claims.ts";
import { comparePolicies, fits } from "./compare-policies.ts";
import {
  addPolicy,
  changePolicy,
  findPolicy,
  policiesFor,
  policiesOf,
  removePolicy,
  type Trusted,
  type TrustPolicy,
} from "./policies.ts";

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
  const { issuer, claims } = await issuers.verify(body.token, links.organization(org.name));
  const policies = await policiesFor(store.read, { orgId: org.id, issuer, now: now() });
  const comparisons = comparePolicies(policies, { claims, now: now() });
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

type Body = Parameters<Handler<"updateTrustPolicy">>[0]["body"];

/** Claims that do not identify a subject. */
const OF_EVERY_TOKEN: readonly string[] = ["iss", "aud", "exp", "nbf", "iat", "jti"];

function invalidPolicy(problem: string): Invalid {
  return new Invalid("trust_policy.invalid", problem);
}

function invalidField(field: string, problem: string): Invalid {
  return invalidInput({ [field]: problem }, { code: "trust_policy.invalid" });
}

/** @throws Invalid for conditions that match every token, or none */
function trustedIn(body: Body, issuers: Pick<Issuers, "urls">, now: number): Trusted {
  const { repository = null, repositoryId = null, repositoryOwnerId = null, expiresAt = null } = body;
  const { description, issuer, claims, role, enabled: isEnabled } = body;
  if (!issuers.urls.includes(issuer)) {
    const taken = issuers.urls.join(", ");
    throw invalidField("issuer", `Input should be an issuer that the service trusts: ${taken}`);
  }
  if (Object.hasOwn(claims, "sub")) {
    throw invalidField(
      "claims.sub",
      "Input should not be sub, because its format varies: use the claims that it consists of, such as ref or environment",
    );
  }
  const narrow = Object.entries(claims).filter(
    ([claim, wanted]) =>
      !OF_EVERY_TOKEN.includes(claim) && [wanted].flat().every((each) => /[^*]/.test(each)),
  );
  const isGitHub = gitHubOf(issuer) !== undefined;
  const namesRepository = [repository, repositoryId, repositoryOwnerId].some((each) => each !== null);
  if (isGitHub && !namesRepository)
    throw invalidPolicy("A trust policy requires repository, repository_id or repository_owner_id");
  if (!isGitHub && narrow.length === 0) throw invalidPolicy("A trust policy for this issuer requires claims");
  if (!isGitHub && namesRepository)
    throw invalidPolicy("Only policies for GitHub issuers can name a repository: use claims for this issuer");
  if (expiresAt !== null && expiresAt <= now)
    throw invalidField("expires_at", "Input should be in the future");
  return {
    ...{ description, issuer, repository, repositoryId, repositoryOwnerId, claims, role, expiresAt },
    isEnabled,
    scope: scopeOf(body),
  };
}

/** Pinned ids stay until they are replaced, because another owner may reuse the name. */
function keepingIds(trusted: Trusted, before: TrustPolicy): Trusted {
  const { issuer, repository, repositoryId, repositoryOwnerId } = before;
  const isSame = trusted.issuer === issuer && isSameName(trusted.repository ?? "", repository ?? "");
  const isGiven = trusted.repositoryId !== null || trusted.repositoryOwnerId !== null;
  return isSame && !isGiven ? { ...trusted, repositoryId, repositoryOwnerId } : trusted;
}

function auditedState(policy: TrustPolicy) {
  return {
    issuer: policy.issuer,
    repository: policy.repository,
    repository_id: policy.repositoryId,
    repository_owner_id: policy.repositoryOwnerId,
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
  const { createdBy, createdAt, expiresAt, pinnedUntil, lastUsedAt, isEnabled: enabled, uses } = policy;
  return {
    ...{ name, description, issuer, repository, repositoryId, repositoryOwnerId, role },
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
