import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { expressionBuilder, type RawBuilder } from "kysely";
import * as z from "zod/mini";
import { type Caller, isRole, type Organization } from "../../kernel/caller.ts";
import type { Scope } from "../../kernel/scope.ts";
import { idsOf, newId } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";

export type KeyFault = "unknown" | "expired";

/** The owner of a key, and the requested organization if it exists. */
export interface KeyOwner {
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
  /** A key that the caller chose. Default: a new random key. */
  key?: string;
  /** Default: all flows and environments. */
  scope?: Scope;
  /** Allows the key to rotate itself, even without other rights. */
  mayRotateItself?: boolean | undefined;
}

export type StoredKey = Awaited<ReturnType<typeof keysOf>>[number];
export type KeyListing = Awaited<ReturnType<typeof listKeys>>[number];

/** Keys are looked up by hash, which resists timing attacks. */
export function hashOf(key: string): string {
  return hash("sha256", key);
}

/** Returns the key; only its hash is stored. */
export async function createKey(
  db: Database,
  { key = generateKey(), ...made }: NewKey,
): Promise<{ id: string; key: string }> {
  const lastFour = key.length < MIN_KEY_LENGTH ? null : key.slice(-4);
  return { id: await insertKey(db, { ...made, hash: hashOf(key), kind: "key", lastFour }), key };
}

/** Minimum length of a chosen key, because shorter keys could be guessed. */
export const MIN_KEY_LENGTH = 32;

/** Creates a trust policy's key, whose hash matches no text, and returns its id. */
export async function createWorkflowKey(db: Database, key: Omit<NewKey, "key">): Promise<string> {
  return insertKey(db, { ...key, hash: `workflow ${newId()}`, kind: "workflow" });
}

/** Creates the key that all sessions of a person's account share, whose hash matches no text. */
export async function createPersonKey(db: Database, key: Pick<NewKey, "accountId" | "now">): Promise<string> {
  const shared = { ...key, description: "sessions", expiresAt: null };
  return insertKey(db, { ...shared, hash: `person ${newId()}`, kind: "person" });
}

/** Ids of the accounts of trust policies. */
export async function trustPolicyAccounts(db: Database, orgId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("api_keys")
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .select("account.id")
    .where("account.org_id", "=", orgId)
    .where("api_keys.kind", "=", "workflow")
    .where("api_keys.revoked_at", "is", null)
    .execute();
  return new Set(idsOf(rows));
}

/** Keys of trust policies are never rotated. */
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

async function insertKey(
  db: Database,
  {
    accountId,
    hash,
    kind,
    lastFour = null,
    ...key
  }: Omit<NewKey, "key"> & {
    hash: string;
    kind: "key" | "workflow" | "person";
    lastFour?: string | null;
  },
): Promise<string> {
  const { description, expiresAt, now, scope = null, mayRotateItself = false } = key;
  const id = newId();
  await db
    .insertInto("api_keys")
    .values({
      id,
      service_account_id: accountId,
      key_hash: hash,
      last_four: lastFour,
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

/** A rotated key is revoked only when its grace period ends. */
export function notRevoked(now: number | RawBuilder<number>) {
  const { or, eb } = expressionBuilder<Tables, "api_keys">();
  return or([eb("api_keys.revoked_at", "is", null), eb("api_keys.revoked_at", ">", now)]);
}

export function working(now: number | RawBuilder<number>) {
  const { and, or, eb } = expressionBuilder<Tables, "api_keys">();
  const notExpired = or([eb("api_keys.expires_at", "is", null), eb("api_keys.expires_at", ">", now)]);
  return and([notRevoked(now), notExpired]);
}

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

const REQUESTED_ORG = ["requested.id as requested_id", "requested.name as requested_name"] as const;

const keyInOrganization = prepared((db, given: Given<{ hash: string; now: number; orgName: string }>) =>
  keyRow(db, given("hash"), given("now"))
    .leftJoin("organizations as requested", (join) => join.on("requested.name", "=", given("orgName")))
    .select(REQUESTED_ORG),
);

const keyAlone = prepared((db, given: Given<{ hash: string; now: number }>) =>
  keyRow(db, given("hash"), given("now"))
    .leftJoin("organizations as requested", "requested.id", "account.org_id")
    .select(REQUESTED_ORG),
);

/**
 * Finds the owner of a key, and the named organization (default: the key's own), in one query. Lookup by SHA-256 resists
 * timing attacks.
 */
export async function findKey(
  db: Database,
  key: string,
  { now, orgName }: { now: number; orgName?: string | undefined },
): Promise<KeyOwner | KeyFault> {
  const given = { hash: hashOf(key), now };
  const [row] =
    orgName === undefined ? await keyAlone(db, given) : await keyInOrganization(db, { ...given, orgName });
  if (!row || !isRole(row.role)) return "unknown";
  if (row.expires_at !== null && row.expires_at <= now) return "expired";
  const { requested_id: id, requested_name: name } = row;
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

/** Whether a caller's key was not revoked meanwhile, and its account has the same role. */
export async function keepsRights(
  db: Database,
  { keyId, role }: Pick<Caller, "keyId" | "role">,
  now: number,
): Promise<boolean> {
  const found = await db
    .selectFrom("api_keys")
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .select("api_keys.id")
    .where("api_keys.id", "=", keyId)
    .where("account.role", "=", role)
    .where("account.deleted_at", "is", null)
    .where(notRevoked(now))
    .executeTakeFirst();
  return found !== undefined;
}

/** Includes revoked keys. */
export async function wasEverAKey(db: Database, key: string): Promise<boolean> {
  const found = await db
    .selectFrom("api_keys")
    .select("id")
    .where("key_hash", "=", hashOf(key))
    .executeTakeFirst();
  return found !== undefined;
}

/** Unrevoked keys of all accounts, oldest first. */
export async function listKeys(db: Database, now: number) {
  return (await keyListings(db, now).execute()).map(storedKey);
}

/** Undefined for a revoked key. */
export async function listedKey(db: Database, id: string, now: number) {
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

/** Unrevoked keys of an account, oldest first. */
export async function keysOf(db: Database, accountId: string, now: number) {
  const rows = await storedKeys(db, now).where("api_keys.service_account_id", "=", accountId).execute();
  return rows.map(storedKey);
}

/** An unrevoked key with the name of its account. */
export async function keyInOrg(db: Database, { orgId, key }: { orgId: string; key: string }, now: number) {
  const row = await storedKeys(db, now)
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .select("account.name")
    .where("api_keys.key_hash", "=", hashOf(key))
    .where("account.org_id", "=", orgId)
    .where("account.deleted_at", "is", null)
    .executeTakeFirst();
  return row && storedKey(row);
}

export async function findKeyOf(
  db: Database,
  { accountId, keyId }: { accountId: string; keyId: string },
  now: number,
) {
  const row = await storedKeys(db, now)
    .where("api_keys.id", "=", keyId)
    .where("api_keys.service_account_id", "=", accountId)
    .executeTakeFirst();
  return row && storedKey(row);
}

function storedKey<Row extends { scope: string | null; mayRotateItself: number }>({
  scope,
  mayRotateItself,
  ...row
}: Row) {
  return { ...row, scope: scopeIn(scope), mayRotateItself: mayRotateItself === 1 };
}

function storedKeys(db: Database, now: number) {
  return db
    .selectFrom("api_keys")
    .select(["api_keys.id", "api_keys.description", "api_keys.created_at as createdAt"])
    .select(["api_keys.expires_at as expiresAt", "api_keys.last_used_at as lastUsedAt", "api_keys.scope"])
    .select(["api_keys.may_rotate_itself as mayRotateItself", "api_keys.last_four as lastFour"])
    .where("api_keys.kind", "=", "key")
    .where(notRevoked(now))
    .orderBy("api_keys.created_at")
    .orderBy("api_keys.id");
}

/**
 * Revokes a key now or later, but never later than already planned. Returns the time, or undefined for an unknown or
 * revoked key.
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

const names = z.array(z.string());
const column = z.object({ flows: names, environments: names });

export function scopeColumn(scope: Scope): string | null {
  return scope === null ? null : JSON.stringify(scope);
}

/** @throws Error for an unknown value, because an invalid scope must not grant everything */
export function scopeIn(text: string | null): Scope {
  return text === null ? null : z.parse(column, JSON.parse(text));
}

/**
 * Creates an API key: `de_`, 43 characters of base64url, and a checksum of six characters, so that secret scanners
 * recognize keys offline. Older keys have no checksum, and chosen keys have any form. All of them work.
 */

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest CRC32 has six digits of base 62. */
const CHECKSUM_LENGTH = 6;

/** 256 random bits and their checksum. */
export function generateKey(): string {
  const random = `de_${randomBytes(32).toString("base64url")}`;
  return random + checksumOf(random);
}

/** CRC32 in base 62, zero-padded, like GitHub's own tokens. */
export function checksumOf(text: string): string {
  let digits = "";
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / BASE62.length)) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
  }
  return digits.padStart(CHECKSUM_LENGTH, "0");
}
