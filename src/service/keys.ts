import { createHash, randomBytes } from "node:crypto";
import { isRole, type Role } from "./roles.ts";
import { newId } from "./store/ids.ts";
import type { Database } from "./store/tables.ts";

/** The account that a request comes from. */
export interface Caller {
  keyId: string;
  accountName: string;
  orgId: string;
  role: Role;
}

export type KeyFinding = Caller | "unknown" | "expired";

export interface NewKey {
  accountId: string;
  description: string;
  /** Unix seconds; null for a key that does not expire. */
  expiresAt: number | null;
  /** Unix seconds. */
  now: number;
  /** The key, when it was chosen elsewhere. */
  key?: string;
}

/** A key as it may be shown. */
export interface KeyListing {
  id: string;
  organization: string;
  account: string;
  role: string;
  description: string;
  createdAt: number;
  expiresAt: number | null;
}

/** A new API key: 256 random bits. */
function generateKey(): string {
  return `de_${randomBytes(32).toString("base64url")}`;
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Makes a key for an account. This is the one time that the key can be seen: only its hash is stored. */
export async function createKey(
  db: Database,
  { accountId, description, expiresAt, now, key = generateKey() }: NewKey,
): Promise<{ id: string; key: string }> {
  const id = newId();
  await db
    .insertInto("api_keys")
    .values({
      id,
      service_account_id: accountId,
      key_hash: hashOf(key),
      description,
      created_at: now,
      expires_at: expiresAt,
      revoked_at: null,
    })
    .execute();
  return { id, key };
}

/**
 * Finds who a key belongs to. It is looked up by its SHA-256, so how long the search takes depends on a hash
 * that a caller cannot steer towards a stored one.
 */
export async function findKey(db: Database, key: string, now: number): Promise<KeyFinding> {
  const row = await db
    .selectFrom("api_keys")
    .innerJoin("service_accounts", "service_accounts.id", "api_keys.service_account_id")
    .select(["api_keys.id", "api_keys.expires_at", "service_accounts.name"])
    .select(["service_accounts.org_id", "service_accounts.role"])
    .where("api_keys.key_hash", "=", hashOf(key))
    .where("api_keys.revoked_at", "is", null)
    .executeTakeFirst();
  if (!row || !isRole(row.role)) return "unknown";
  if (row.expires_at !== null && row.expires_at <= now) return "expired";
  return { keyId: row.id, accountName: row.name, orgId: row.org_id, role: row.role };
}

/** The keys that are not revoked, oldest first. */
export async function listKeys(db: Database): Promise<KeyListing[]> {
  return db
    .selectFrom("api_keys")
    .innerJoin("service_accounts", "service_accounts.id", "api_keys.service_account_id")
    .innerJoin("organizations", "organizations.id", "service_accounts.org_id")
    .select(["api_keys.id", "organizations.name as organization", "service_accounts.name as account"])
    .select(["service_accounts.role", "api_keys.description"])
    .select(["api_keys.created_at as createdAt", "api_keys.expires_at as expiresAt"])
    .where("api_keys.revoked_at", "is", null)
    .orderBy("api_keys.created_at")
    .orderBy("api_keys.id")
    .execute();
}

/** Revokes a key for good. Returns false when there is no such key, or it was revoked before. */
export async function revokeKey(db: Database, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
