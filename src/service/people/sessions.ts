import { createHash, randomBytes } from "node:crypto";
import { type Caller, isRole, type Organization } from "../kernel/caller.ts";
import type { Job } from "../ops/jobs.ts";
import { newId } from "../store/ids.ts";
import type { Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import { scopeIn, working } from "./accounts/keys.ts";

/** Absolute lifetime in seconds. */
export const SESSION_SECONDS = 24 * 60 * 60;
/** Idle lifetime in seconds. */
const IDLE_SECONDS = 8 * 60 * 60;

export interface Session {
  readonly id: string;
  readonly caller: Caller;
  readonly org: Organization;
  /** Unix seconds. */
  readonly lastSeenAt: number;
}

export interface ListedSession {
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly address: string | null;
  readonly client: string | null;
}

interface NewSession {
  keyId: string;
  address: string | null;
  client: string | null;
  /** Unix seconds. */
  now: number;
}

/** Returns the token; only its hash is stored. */
export async function beginSession(
  db: Database,
  { keyId, address, client, now }: NewSession,
): Promise<string> {
  const token = newToken();
  await db
    .insertInto("sessions")
    .values({
      id: newId(),
      token_hash: hashOfToken(token),
      api_key_id: keyId,
      created_at: now,
      last_seen_at: now,
      expires_at: now + SESSION_SECONDS,
      address,
      client,
    })
    .execute();
  return token;
}

/** Undefined when the session is over, or its key or account is. */
export async function findSession(db: Database, token: string, now: number): Promise<Session | undefined> {
  const row = await live(db, now)
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .innerJoin("organizations", "organizations.id", "account.org_id")
    .select(["sessions.id", "sessions.last_seen_at", "api_keys.id as key_id", "api_keys.scope"])
    .select(["account.id as account_id", "account.name", "account.role", "account.org_id"])
    .select("organizations.name as org_name")
    .where("sessions.token_hash", "=", hashOfToken(token))
    .where("account.deleted_at", "is", null)
    .executeTakeFirst();
  if (!row || !isRole(row.role)) return undefined;
  return {
    id: row.id,
    lastSeenAt: row.last_seen_at,
    org: { id: row.org_id, name: row.org_name },
    caller: {
      keyId: row.key_id,
      accountId: row.account_id,
      accountName: row.name,
      orgId: row.org_id,
      role: row.role,
      scope: scopeIn(row.scope),
    },
  };
}

/** A visit also uses the key. */
export async function noteVisit(db: Database, { id, caller }: Session, now: number): Promise<void> {
  await db.updateTable("sessions").set({ last_seen_at: now }).where("id", "=", id).execute();
  await db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", caller.keyId).execute();
}

/** Latest first. */
export async function sessionsOf(db: Database, accountId: string, now: number): Promise<ListedSession[]> {
  return live(db, now)
    .select(["sessions.id", "sessions.created_at as createdAt", "sessions.last_seen_at as lastSeenAt"])
    .select(["sessions.expires_at as expiresAt", "sessions.address", "sessions.client"])
    .where("api_keys.service_account_id", "=", accountId)
    .orderBy("sessions.created_at", "desc")
    .orderBy("sessions.id")
    .execute();
}

/** Does nothing for an ended session. */
export async function endSession(
  db: Database,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("api_keys")
          .select("api_keys.id")
          .whereRef("api_keys.id", "=", "sessions.api_key_id")
          .where("service_account_id", "=", accountId),
      ),
    )
    .execute();
}

/** Ends a session whose browser is about to begin another. */
export async function forgetSession(db: Database, token: string): Promise<void> {
  await db.deleteFrom("sessions").where("token_hash", "=", hashOfToken(token)).execute();
}

async function removeOldSessions(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where(({ or, eb }) => or([eb("expires_at", "<=", now), eb("last_seen_at", "<=", now - IDLE_SECONDS)]))
    .execute();
}

/** Sessions that are not over, with working keys. */
function live(db: Database, now: number) {
  return db
    .selectFrom("sessions")
    .innerJoin("api_keys", "api_keys.id", "sessions.api_key_id")
    .where("sessions.expires_at", ">", now)
    .where("sessions.last_seen_at", ">", now - IDLE_SECONDS)
    .where(working(now));
}

/** A token for a cookie or link: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Lookup by hash resists timing attacks. */
export function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

const HOUR_MS = 60 * 60 * 1000;

export function tidySessions({ store, now }: { store: Pick<Store, "write">; now: () => number }): Job {
  return {
    name: "sessions",
    failure: "Sessions that are over could not be removed",
    run: () => store.write((db) => removeOldSessions(db, now())),
    everyMs: HOUR_MS,
  };
}
