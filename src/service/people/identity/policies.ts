import * as z from "zod/mini";
import { scopeColumn, scopeIn } from "../../accounts/scope-column.ts";
import type { Role } from "../../kernel/roles.ts";
import type { Scope } from "../../kernel/scope.ts";
import { newId } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { endAccessTokens } from "../accounts/access-tokens.ts";
import { createWorkflowKey, notRevoked, revokeKey, working } from "../accounts/keys.ts";
import { deleteServiceAccount, insertServiceAccount, updateServiceAccount } from "../accounts/records.ts";
import { type Claims, claimText } from "./claims.ts";
import type { Conditions } from "./conditions.ts";

/** So long after a policy was made by name its first use keeps the ids, in seconds. */
const PIN_SECONDS = 24 * 60 * 60;

/** Which workflows an organization trusts, and with what. */
export interface TrustPolicy extends Conditions {
  readonly id: string;
  /** The key that stands for all its tokens, and the account that has it. */
  readonly keyId: string;
  readonly accountId: string;
  readonly description: string;
  readonly issuer: string;
  readonly role: string;
  readonly scope: Scope;
  readonly createdBy: string;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly isEnabled: boolean;
  /** How many tokens were exchanged by it. */
  readonly uses: number;
}

/** What may be said of a trust policy. */
export interface Trusted
  extends Pick<Conditions, "repository" | "repositoryId" | "repositoryOwnerId" | "claims"> {
  description: string;
  issuer: string;
  role: Role;
  scope: Scope;
  expiresAt: number | null;
  isEnabled: boolean;
}

interface NewPolicy extends Trusted {
  orgId: string;
  name: string;
  createdBy: string;
  /** Unix seconds. */
  now: number;
}

/** Makes a trust policy with the account that its workflows act as. Undefined when the name is taken. */
export async function addPolicy(db: Database, policy: NewPolicy): Promise<TrustPolicy | undefined> {
  const { orgId, name, role, description, scope, expiresAt, createdBy, now } = policy;
  const accountId = await insertServiceAccount(db, { orgId, name, role, description }, now);
  if (accountId === undefined) return undefined;
  const keyId = await createWorkflowKey(db, {
    accountId,
    description: `Trust policy ${name}`,
    expiresAt,
    scope,
    now,
  });
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

/** Puts other conditions and rights in the place of those of a policy. Its tokens end. */
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

/** Removes a policy with its account. Its tokens end; what was proven by them stays with its records. */
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

/** Keeps the ids of a token with a policy that knows its repository by name alone. */
export async function pinPolicy(
  db: Database,
  { id, repository, pinnedUntil }: Pick<TrustPolicy, "id" | "repository" | "pinnedUntil">,
  claims: Claims,
): Promise<void> {
  if (pinnedUntil === null || repository === null) return;
  const ids = {
    repository_owner_id: claimText(claims, "repository_owner_id") ?? null,
    ...(repository.endsWith("/*") ? {} : { repository_id: claimText(claims, "repository_id") ?? null }),
  };
  await db
    .updateTable("trust_policies")
    .set({ ...ids, pinned_until: null })
    .where("id", "=", id)
    .where("pinned_until", "is not", null)
    .execute();
}

/** Notes that a token was exchanged by a policy. */
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

/** The policies of an organization by name, those that have ended or are switched off too. */
export async function policiesOf(db: Database, orgId: string, now: number): Promise<TrustPolicy[]> {
  return (await policyRows(db, orgId, now).orderBy("account.name").execute()).map(policyOf);
}

/** The policies of an organization for an issuer that work. */
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

type Row = Awaited<ReturnType<ReturnType<typeof policyRows>["execute"]>>[number];

const claimsColumn = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

function policyOf(row: Row): TrustPolicy {
  return {
    id: row.id,
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
