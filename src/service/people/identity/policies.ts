import type { InferResult } from "kysely";
import * as z from "zod/mini";
import { recordChange } from "../../events/record.ts";
import type { ActContext, Role } from "../../kernel/caller.ts";
import type { ProvenToken } from "../../operation/context.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { endAccessTokens } from "../accounts/access-tokens.ts";
import { createWorkflowKey, notRevoked, revokeKey, scopeColumn, scopeIn, working } from "../accounts/keys.ts";
import { deleteServiceAccount, insertServiceAccount, updateServiceAccount } from "../accounts/records.ts";
import { type Claims, claimText } from "./claims.ts";
import { type Conditions, isPinned } from "./conditions.ts";
import { ISSUER_KINDS, kindOfPolicy } from "./issuer-kinds.ts";
import type { IdColumn, IssuerKindName, Subject } from "./kinds/issuer-kind.ts";

/** Seconds in which the first use of a policy with only a name pins the ids. */
const PIN_SECONDS = 24 * 60 * 60;

export type TrustPolicy = ReturnType<typeof policyOf>;

export interface Trusted
  extends Pick<Conditions, "claims">,
    Pick<TrustPolicy, "repository" | "repositoryId" | "repositoryOwnerId">,
    Pick<TrustPolicy, "serviceAccount" | "serviceAccountUid" | "project" | "projectIds" | "jwks">,
    Pick<TrustPolicy, "description" | "issuer" | "scope" | "expiresAt" | "isEnabled"> {
  role: Role;
}

interface NewPolicy extends Trusted {
  orgId: string;
  name: string;
  createdBy: string;
  /** Unix seconds. */
  now: number;
}

/** Creates the policy with its account. Undefined for a taken name. */
export async function addPolicy(db: Database, policy: NewPolicy): Promise<TrustPolicy | undefined> {
  const { orgId, name, role, description, scope, expiresAt, createdBy, now } = policy;
  const accountId = await insertServiceAccount(db, { orgId, name, role, description }, now);
  if (accountId === undefined) return undefined;
  const key = { accountId, description: `Trust policy ${name}`, expiresAt, scope, now };
  const keyId = await createWorkflowKey(db, key);
  await db
    .insertInto("trust_policies")
    .values({
      id: newId(),
      org_id: orgId,
      key_id: keyId,
      created_by: createdBy,
      created_at: now,
      ...columnsOf(policy, now),
    })
    .execute();
  return findPolicy(db, orgId, name, now);
}

/** Replaces conditions and rights. Ends its tokens. */
export async function changePolicy(
  db: Database,
  { id, keyId, accountId }: Pick<TrustPolicy, "id" | "keyId" | "accountId">,
  trusted: Trusted,
  now: number,
): Promise<void> {
  const { role, description, scope, expiresAt } = trusted;
  await updateServiceAccount(db, accountId, { role, description });
  await db
    .updateTable("api_keys")
    .set({ expires_at: expiresAt, scope: scopeColumn(scope) })
    .where("id", "=", keyId)
    .execute();
  await db.updateTable("trust_policies").set(columnsOf(trusted, now)).where("id", "=", id).execute();
  await endAccessTokens(db, keyId, now);
}

/** Removes a policy and its account, and ends its tokens. Proofs stay with their records. */
export async function removePolicy(
  db: Database,
  { id, keyId, accountId }: Pick<TrustPolicy, "id" | "keyId" | "accountId">,
  now: number,
): Promise<void> {
  await endAccessTokens(db, keyId, now);
  await revokeKey(db, keyId, now);
  await deleteServiceAccount(db, accountId, now);
  await db.deleteFrom("trust_policies").where("id", "=", id).execute();
}

function columnsOf(trusted: Trusted, now: number) {
  const { issuer, repository, repositoryId, repositoryOwnerId, claims, isEnabled, jwks } = trusted;
  const columns = {
    issuer,
    repository,
    repository_id: repositoryId,
    repository_owner_id: repositoryOwnerId,
    service_account: trusted.serviceAccount,
    service_account_uid: trusted.serviceAccountUid,
    project: trusted.project,
    project_ids: trusted.projectIds === null ? null : JSON.stringify(trusted.projectIds),
    jwks,
    claims: JSON.stringify(claims),
    enabled: isEnabled ? 1 : 0,
  };
  const subject = subjectOf(columns);
  const isNameAlone = subject.subject !== null && !isPinned(subject);
  return { ...columns, pinned_until: isNameAlone ? now + PIN_SECONDS : null };
}

/** Pins the ids of a token at the first use of a policy with only a name. */
export async function pinPolicy(
  db: Database,
  policy: TrustPolicy,
  claims: Claims,
  by: ActContext,
): Promise<void> {
  const { id, kind, subject, ids: before, pinnedUntil } = policy;
  if (pinnedUntil === null || subject === null) return;
  const { idsOf } = ISSUER_KINDS[kind];
  const found = idsOf(subject).map((claim) => [claim, claimText(claims, claim) ?? null]);
  const after = { ...before, ...Object.fromEntries(found) };
  const pinned = await db
    .updateTable("trust_policies")
    .set({ ...idColumns(kind, after), pinned_until: null })
    .where("id", "=", id)
    .where("pinned_until", "is not", null)
    .returning("id")
    .executeTakeFirst();
  if (pinned === undefined) return;
  const change = { before: idFields(kind, before), after: idFields(kind, after) };
  await recordChange(db, by, { type: "trust_policy.pinned", subject: policy, ...change });
}

/** The ids of a subject by column. */
function idFields(kind: IssuerKindName, ids: Subject["ids"]) {
  const known = Object.fromEntries(Object.entries(ids).filter(([, id]) => typeof id === "string"));
  const fields = Object.entries(ISSUER_KINDS[kind].ids).map(([claim, column]) =>
    column === "project_ids" ? [column, known] : [column, ids[claim] ?? null],
  );
  return Object.fromEntries(fields) as Partial<Record<IdColumn, string | null | Record<string, string>>>;
}

function idColumns(kind: IssuerKindName, ids: Subject["ids"]): Partial<Record<IdColumn, string | null>> {
  return Object.fromEntries(
    Object.entries(idFields(kind, ids)).map(([column, value]) => [
      column,
      typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}

export async function countUse(
  db: Database,
  { id, keyId }: Pick<TrustPolicy, "id" | "keyId">,
  now: number,
): Promise<void> {
  await db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", keyId).execute();
  await db
    .updateTable("trust_policies")
    .set(({ eb }) => ({ uses: eb("uses", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** Sorted by name, including ended and disabled ones. */
export async function policiesOf(db: Database, orgId: string, now: number): Promise<TrustPolicy[]> {
  return (await policyRows(db, orgId, now).orderBy("account.name").execute()).map(policyOf);
}

export async function policiesFor(
  db: Database,
  { orgId, issuer, now }: { orgId: string; issuer: string; now: number },
): Promise<TrustPolicy[]> {
  const rows = await policyRows(db, orgId, now)
    .where("policy.issuer", "=", issuer)
    .where("policy.enabled", "=", 1)
    .where(working(now))
    .orderBy("account.name")
    .execute();
  return rows.map(policyOf);
}

/** Whether a policy trusts tokens of this kind, signed with these keys. Two clusters may name the same issuer. */
export function isFor(token: Pick<ProvenToken, "kind" | "jwks">): (policy: TrustPolicy) => boolean {
  // A policy with claims alone may be for a self-managed GitLab that the operator trusts.
  const kinds = token.kind === "gitlab" ? ["gitlab", "other"] : [token.kind];
  return ({ kind, jwks }) => kinds.includes(kind) && jwks === token.jwks;
}

/** The keys that working policies trust for an issuer. Null means the keys that the issuer publishes. */
export async function keysFor(
  db: Database,
  { orgId, issuer, now }: { orgId: string; issuer: string; now: number },
): Promise<(string | null)[]> {
  const policies = await policiesFor(db, { orgId, issuer, now });
  const named = policies.filter(({ kind }) => ISSUER_KINDS[kind].isNamedByPolicy);
  return [...new Set(named.map(({ jwks }) => jwks))];
}

export async function findPolicy(
  db: Database,
  orgId: string,
  name: string,
  now: number,
): Promise<TrustPolicy | undefined> {
  const row = await policyRows(db, orgId, now).where("account.name", "=", name).executeTakeFirst();
  return row && policyOf(row);
}

function policyRows(db: Database, orgId: string, now: number) {
  return db
    .selectFrom("trust_policies as policy")
    .innerJoin("api_keys", "api_keys.id", "policy.key_id")
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .selectAll("policy")
    .select(["account.id as account_id", "account.name", "account.role", "account.description"])
    .select(["api_keys.scope", "api_keys.expires_at", "api_keys.last_used_at"])
    .where("policy.org_id", "=", orgId)
    .where("account.deleted_at", "is", null)
    .where(notRevoked(now));
}

const idsColumn = z.record(z.string(), z.string());
const claimsColumn = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

function policyOf(row: InferResult<ReturnType<typeof policyRows>>[number]) {
  return {
    id: row.id,
    // The policy's own key and account.
    keyId: row.key_id,
    accountId: row.account_id,
    name: row.name,
    description: row.description ?? "",
    issuer: row.issuer,
    repository: row.repository,
    repositoryId: row.repository_id,
    repositoryOwnerId: row.repository_owner_id,
    serviceAccount: row.service_account,
    serviceAccountUid: row.service_account_uid,
    project: row.project,
    projectIds: projectIdsIn(row),
    jwks: row.jwks,
    ...subjectOf(row),
    claims: z.parse(claimsColumn, JSON.parse(row.claims)),
    pinnedUntil: row.pinned_until,
    role: row.role,
    scope: scopeIn(row.scope),
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    isEnabled: row.enabled === 1,
    uses: row.uses,
  };
}

type SubjectColumns = Pick<
  Tables["trust_policies"],
  | "issuer"
  | "repository"
  | "repository_id"
  | "repository_owner_id"
  | "service_account"
  | "service_account_uid"
  | "project"
  | "project_ids"
>;

function subjectOf(row: SubjectColumns): Subject {
  const { issuer, service_account: serviceAccount, project } = row;
  const projectIds = projectIdsIn(row);
  const isProject = project !== null || projectIds !== null;
  const kind = kindOfPolicy({ issuer, serviceAccount, isProject });
  const ids = Object.entries(ISSUER_KINDS[kind].ids).map(([claim, column]) => [
    claim,
    column === "project_ids" ? (projectIds?.[claim] ?? null) : row[column],
  ]);
  return { kind, subject: serviceAccount ?? project ?? row.repository, ids: Object.fromEntries(ids) };
}

function projectIdsIn({ project_ids: ids }: Pick<SubjectColumns, "project_ids">) {
  return ids === null ? null : z.parse(idsColumn, JSON.parse(ids));
}
