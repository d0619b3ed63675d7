import type { InferResult } from "kysely";
import * as z from "zod/mini";
import { recordChange } from "../../events/record.ts";
import type { ActContext, Role } from "../../kernel/caller.ts";
import { newId } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { endAccessTokens } from "../accounts/access-tokens.ts";
import { createWorkflowKey, notRevoked, revokeKey, scopeColumn, scopeIn, working } from "../accounts/keys.ts";
import { deleteServiceAccount, insertServiceAccount, updateServiceAccount } from "../accounts/records.ts";
import { type Claims, claimText } from "./claims.ts";
import type { Conditions } from "./conditions.ts";

/** Seconds in which the first use of a policy with only a name pins the ids. */
const PIN_SECONDS = 24 * 60 * 60;

export type TrustPolicy = ReturnType<typeof policyOf>;

export interface Trusted
  extends Pick<Conditions, "repository" | "repositoryId" | "repositoryOwnerId" | "claims">,
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
  const { issuer, repository, repositoryId, repositoryOwnerId, claims, isEnabled } = trusted;
  const isNameAlone =
    repository !== null && (repository.endsWith("/*") ? repositoryOwnerId : repositoryId) === null;
  return {
    issuer,
    repository,
    repository_id: repositoryId,
    repository_owner_id: repositoryOwnerId,
    claims: JSON.stringify(claims),
    pinned_until: isNameAlone ? now + PIN_SECONDS : null,
    enabled: isEnabled ? 1 : 0,
  };
}

/** Pins the ids of a token at the first use of a policy with only a name. */
export async function pinPolicy(
  db: Database,
  policy: TrustPolicy,
  claims: Claims,
  by: ActContext,
): Promise<void> {
  const { id, repository, pinnedUntil } = policy;
  if (pinnedUntil === null || repository === null) return;
  const ids = {
    repository_owner_id: claimText(claims, "repository_owner_id") ?? null,
    ...(repository.endsWith("/*") ? {} : { repository_id: claimText(claims, "repository_id") ?? null }),
  };
  const pinned = await db
    .updateTable("trust_policies")
    .set({ ...ids, pinned_until: null })
    .where("id", "=", id)
    .where("pinned_until", "is not", null)
    .returning(["repository_id", "repository_owner_id"])
    .executeTakeFirst();
  const before = { repository_id: policy.repositoryId, repository_owner_id: policy.repositoryOwnerId };
  if (pinned)
    await recordChange(db, by, { type: "trust_policy.pinned", subject: policy, before, after: pinned });
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
