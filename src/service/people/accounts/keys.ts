import { createHash } from "node:crypto";
import { expressionBuilder, type RawBuilder } from "kysely";
import { generateKey } from "../../accounts/key-form.ts";
import { scopeColumn, scopeIn } from "../../accounts/scope-column.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { Organization } from "../../kernel/organization.ts";
import { isRole } from "../../kernel/roles.ts";
import type { Scope } from "../../kernel/scope.ts";
import { newId } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";

/** Why a key does not work. */
export type KeyFault = "unknown" | "expired";

/** Who a key belongs to, and the organization that was asked for with it, if there is one. */
export interface KeyHolder {
  caller: Caller;
  org: Organization | undefined;
}

export interface NewKey {
  accountId: string;
  description: string;
  /** Unix seconds; null for a key that does not expire. */
  expiresAt: number | null;
  /** Unix seconds. */
  now: number;
  /** The key, when it was chosen elsewhere. */
  key?: string;
  /** What it is for; all unless given. */
  scope?: Scope;
  /** Whether it may replace itself, whatever else it may do. */
  mayRotateItself?: boolean | undefined;
}

/** What may be shown of a key. */
export interface StoredKey {
  id: string;
  description: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  scope: Scope;
  mayRotateItself: boolean;
}

/** A key with whose it is. */
export interface KeyListing extends StoredKey {
  organization: string;
  orgId: string;
  account: string;
  role: string;
}

export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Makes a key for an account. This is the one time that the key can be seen: only its hash is stored. */
export async function createKey(
  db: Database,
  { key = generateKey(), ...made }: NewKey,
): Promise<{ id: string; key: string }> {
  return { id: await insertKey(db, { ...made, hash: hashOf(key), kind: "key" }), key };
}

/** Makes the key that stands for all tokens of a trust policy. No text is this key. Returns its id. */
export async function createWorkflowKey(db: Database, key: Omit<NewKey, "key">): Promise<string> {
  return insertKey(db, { ...key, hash: `workflow ${newId()}`, kind: "workflow" });
}

/** Whether workflows act as an account: it has the key of a trust policy, which is never rotated. */
export async function isOfTrustPolicy(db: Database, accountId: string): Promise<boolean> {
  const found = await db
    .selectFrom("api_keys")
    .select("id")
    .where("service_account_id", "=", accountId)
    .where("kind", "=", "workflow")
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return found !== undefined;
}

interface InsertedKey extends Omit<NewKey, "key"> {
  hash: string;
  kind: "key" | "workflow";
}

async function insertKey(db: Database, { accountId, hash, kind, ...key }: InsertedKey): Promise<string> {
  const { description, expiresAt, now, scope = null, mayRotateItself = false } = key;
  const id = newId();
  await db
    .insertInto("api_keys")
    .values({
      id,
      service_account_id: accountId,
      key_hash: hash,
      description,
      created_at: now,
      expires_at: expiresAt,
      revoked_at: null,
      kind,
      scope: scopeColumn(scope),
      may_rotate_itself: Number(mayRotateItself),
    })
    .execute();
  return id;
}

/** The keys that are not revoked. One that was rotated is not, until its grace period ends: nobody has to do it. */
export function notRevoked(now: number | RawBuilder<number>) {
  const { or, eb } = expressionBuilder<Tables, "api_keys">();
  return or([eb("api_keys.revoked_at", "is", null), eb("api_keys.revoked_at", ">", now)]);
}

/** The keys that are neither revoked nor expired. */
export function working(now: number) {
  const { and, or, eb } = expressionBuilder<Tables, "api_keys">();
  const notExpired = or([eb("api_keys.expires_at", "is", null), eb("api_keys.expires_at", ">", now)]);
  return and([notRevoked(now), notExpired]);
}

/** A key by its hash, with its account, and the organization that is asked for. */
function keyRow(db: Database, hash: RawBuilder<string>, now: RawBuilder<number>) {
  return db
    .selectFrom("api_keys")
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .select(["api_keys.id", "api_keys.expires_at", "api_keys.scope", "api_keys.may_rotate_itself"])
    .select(["account.id as account_id", "account.name", "account.org_id", "account.role"])
    .where("api_keys.key_hash", "=", hash)
    .where("account.deleted_at", "is", null)
    .where(notRevoked(now));
}

const ASKED = ["asked.id as asked_id", "asked.name as asked_name"] as const;

const keyInOrganization = prepared((db, given: Given<{ hash: string; now: number; orgName: string }>) =>
  keyRow(db, given("hash"), given("now"))
    .leftJoin("organizations as asked", (join) => join.on("asked.name", "=", given("orgName")))
    .select(ASKED),
);

const keyAlone = prepared((db, given: Given<{ hash: string; now: number }>) =>
  keyRow(db, given("hash"), given("now"))
    .leftJoin("organizations as asked", "asked.id", "account.org_id")
    .select(ASKED),
);

/**
 * Finds who a key belongs to, and with the same query the organization of a name; without a name the key's own. The key
 * is looked up by its SHA-256, so how long the search takes depends on a hash that a caller cannot steer towards a
 * stored one.
 */
export async function findKey(
  db: Database,
  key: string,
  { now, orgName }: { now: number; orgName?: string | undefined },
): Promise<KeyHolder | KeyFault> {
  const given = { hash: hashOf(key), now };
  const [row] =
    orgName === undefined ? await keyAlone(db, given) : await keyInOrganization(db, { ...given, orgName });
  if (!row || !isRole(row.role)) return "unknown";
  if (row.expires_at !== null && row.expires_at <= now) return "expired";
  const { asked_id: id, asked_name: name } = row;
  return {
    caller: {
      keyId: row.id,
      accountId: row.account_id,
      accountName: row.name,
      orgId: row.org_id,
      role: row.role,
      scope: scopeIn(row.scope),
      ...(row.may_rotate_itself === 1 && { mayRotateItself: true }),
    },
    org: id === null || name === null ? undefined : { id, name },
  };
}

/** Whether a key belongs to an account, or did before it was revoked. */
export async function wasEverAKey(db: Database, key: string): Promise<boolean> {
  const found = await db
    .selectFrom("api_keys")
    .select("id")
    .where("key_hash", "=", hashOf(key))
    .executeTakeFirst();
  return found !== undefined;
}

/** The keys of every account that are not revoked, oldest first. */
export async function listKeys(db: Database, now: number): Promise<KeyListing[]> {
  return (await keyListings(db, now).execute()).map(storedKey);
}

/** A key by its id, unless it is revoked. */
export async function listedKey(db: Database, id: string, now: number): Promise<KeyListing | undefined> {
  const row = await keyListings(db, now).where("api_keys.id", "=", id).executeTakeFirst();
  return row && storedKey(row);
}

function keyListings(db: Database, now: number) {
  return storedKeys(db, now)
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .innerJoin("organizations", "organizations.id", "account.org_id")
    .select(["organizations.name as organization", "organizations.id as orgId"])
    .select(["account.name as account", "account.role"]);
}

/** The keys of an account that are not revoked, oldest first. */
export async function keysOf(db: Database, accountId: string, now: number): Promise<StoredKey[]> {
  const rows = await storedKeys(db, now).where("api_keys.service_account_id", "=", accountId).execute();
  return rows.map(storedKey);
}

/** A key of an account, unless it is revoked. */
export async function findKeyOf(
  db: Database,
  { accountId, keyId }: { accountId: string; keyId: string },
  now: number,
): Promise<StoredKey | undefined> {
  const row = await storedKeys(db, now)
    .where("api_keys.id", "=", keyId)
    .where("api_keys.service_account_id", "=", accountId)
    .executeTakeFirst();
  return row && storedKey(row);
}

function storedKey<Row extends { scope: string | null; mayRotateItself: number }>(row: Row) {
  return { ...row, scope: scopeIn(row.scope), mayRotateItself: row.mayRotateItself === 1 };
}

function storedKeys(db: Database, now: number) {
  return db
    .selectFrom("api_keys")
    .select(["api_keys.id", "api_keys.description", "api_keys.created_at as createdAt"])
    .select(["api_keys.expires_at as expiresAt", "api_keys.last_used_at as lastUsedAt", "api_keys.scope"])
    .select("api_keys.may_rotate_itself as mayRotateItself")
    .where("api_keys.kind", "=", "key")
    .where(notRevoked(now))
    .orderBy("api_keys.created_at")
    .orderBy("api_keys.id");
}

/**
 * Revokes a key for good, at once or from a later time on. Returns when it stops working, or undefined when there
 * is no such key or it was revoked before. A key that was to stop earlier still does.
 */
export async function revokeKey(
  db: Database,
  id: string,
  now: number,
  from = now,
): Promise<number | undefined> {
  const key = await db
    .selectFrom("api_keys")
    .select("revoked_at")
    .where("id", "=", id)
    .where(notRevoked(now))
    .executeTakeFirst();
  if (!key) return undefined;
  const revokedAt = Math.min(from, key.revoked_at ?? from);
  await db.updateTable("api_keys").set({ revoked_at: revokedAt }).where("id", "=", id).execute();
  return revokedAt;
}
