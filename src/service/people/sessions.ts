import { randomBytes } from "node:crypto";
import type { RawBuilder } from "kysely";
import { type Caller, isRole } from "../kernel/caller.ts";
import { newId } from "../store/ids.ts";
import { type Given, prepared } from "../store/prepared.ts";
import type { Database } from "../store/tables.ts";
import { hashOf, scopeIn, working } from "./accounts/keys.ts";
import { ADMIN_ACCOUNT } from "./accounts/provisioning.ts";
import { active, findPersonSession, isPersonToken } from "./members/person-sessions.ts";
import { hasEndedIn } from "./members/persons.ts";

/** Absolute lifetime in seconds. */
export const SESSION_SECONDS = 24 * 60 * 60;
/** Idle lifetime in seconds. */
const IDLE_SECONDS = 8 * 60 * 60;

export type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>;
export type ListedSession = Awaited<ReturnType<typeof sessionsOf>>[number];

/** Returns the token; only its hash is stored. */
export async function beginSession(
  db: Database,
  { keyId, address, client, now }: Pick<ListedSession, "address" | "client"> & { keyId: string; now: number },
): Promise<string> {
  const token = newToken();
  await db
    .insertInto("sessions")
    .values({
      id: newId(),
      token_hash: hashOf(token),
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

/** The viewer of a session. Undefined if the session has ended, or its key, account or membership is invalid. */
export function findSession(db: Database, token: string, now: number, orgName?: string) {
  return isPersonToken(token)
    ? findPersonSession(db, token, { kind: "browser", now, orgName })
    : findKeySession(db, token, now);
}

const keySessions = prepared((db, given: Given<{ hash: string; now: number; idleSince: number }>) =>
  live(db, { now: given("now"), idleSince: given("idleSince") })
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .innerJoin("organizations", "organizations.id", "account.org_id")
    .select(["sessions.id", "sessions.last_seen_at", "api_keys.id as key_id", "api_keys.scope"])
    .select(["account.id as account_id", "account.name", "account.role", "account.org_id"])
    .select("organizations.name as org_name")
    .where("sessions.token_hash", "=", given("hash"))
    .where("account.deleted_at", "is", null),
);

async function findKeySession(db: Database, token: string, now: number) {
  const [row] = await keySessions(db, { hash: hashOf(token), ...liveAt(now) });
  if (!row || !isRole(row.role)) return undefined;
  const { org_id: orgId, role } = row;
  const caller: Caller = {
    ...{ keyId: row.key_id, accountId: row.account_id, accountName: row.name, orgId, role },
    scope: scopeIn(row.scope),
  };
  const org = { id: orgId, name: row.org_name };
  const isOperators = isOperatorsAdmin(caller);
  return { id: row.id, lastSeenAt: row.last_seen_at, org, caller, person: undefined, isOperators };
}

/** Whether it is the first admin account, whose keys sign in even where all others need a provider. */
export function isOperatorsAdmin({ accountName, role }: Pick<Caller, "accountName" | "role">): boolean {
  return accountName === ADMIN_ACCOUNT && role === "admin";
}

/** A visit also uses the key. */
export async function noteVisit(
  db: Database,
  { id, caller, person }: Pick<Session, "id" | "caller" | "person">,
  now: number,
): Promise<void> {
  if (person !== undefined)
    await db.updateTable("people").set({ last_seen_at: now }).where("id", "=", person.id).execute();
  await db.updateTable("sessions").set({ last_seen_at: now }).where("id", "=", id).execute();
  await db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", caller.keyId).execute();
}

/** The account of a session's viewer, or the person, whose sessions are in all organizations. */
export interface SessionOwner {
  readonly accountId: string;
  readonly personId: string | undefined;
  /** The organization that asks. Default: the person. */
  readonly orgId?: string;
}

/** Sessions of an account or person, newest first. */
export function sessionsOf(db: Database, { accountId, personId, orgId = "" }: SessionOwner, now: number) {
  const sessions =
    personId === undefined
      ? live(db, liveAt(now)).where("api_keys.service_account_id", "=", accountId)
      : db
          .selectFrom("sessions")
          .where("person_id", "=", personId)
          .where(active(now))
          .where(({ not }) => not(hasEndedIn(orgId)));
  return sessions
    .select(["sessions.id", "sessions.created_at as createdAt", "sessions.last_seen_at as lastSeenAt"])
    .select(["sessions.expires_at as expiresAt", "sessions.address", "sessions.client", "sessions.kind"])
    .orderBy("sessions.created_at", "desc")
    .orderBy("sessions.id")
    .execute();
}

/** Returns how the session began at its provider. Does nothing for an ended session. */
export async function endSession(db: Database, { id, accountId, personId }: SessionOwner & { id: string }) {
  return db
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb("person_id", "=", personId ?? ""),
        exists(
          selectFrom("api_keys")
            .select("api_keys.id")
            .whereRef("api_keys.id", "=", "sessions.api_key_id")
            .where("service_account_id", "=", accountId),
        ),
      ]),
    )
    .returning(["provider", "id_token as idToken"])
    .executeTakeFirst();
}

/** Ends the session of a browser that starts another one. */
export async function isSession(db: Database, token: string): Promise<boolean> {
  const found = await db
    .selectFrom("sessions")
    .select("id")
    .where("token_hash", "=", hashOf(token))
    .executeTakeFirst();
  return found !== undefined;
}

export async function forgetSession(db: Database, token: string): Promise<void> {
  await db.deleteFrom("sessions").where("token_hash", "=", hashOf(token)).execute();
}

export async function removeOldSessions(db: Database, now: number): Promise<void> {
  await db.deleteFrom("device_logins").where("expires_at", "<=", now).execute();
  await db
    .deleteFrom("sessions")
    .where(({ or, eb }) => or([eb("expires_at", "<=", now), eb("last_seen_at", "<=", now - IDLE_SECONDS)]))
    .execute();
}

type Time = number | RawBuilder<number>;

function liveAt(now: number) {
  return { now, idleSince: now - IDLE_SECONDS };
}

/** Active sessions with working keys. */
function live(db: Database, { now, idleSince }: { now: Time; idleSince: Time }) {
  return db
    .selectFrom("sessions")
    .innerJoin("api_keys", "api_keys.id", "sessions.api_key_id")
    .where("sessions.expires_at", ">", now)
    .where("sessions.last_seen_at", ">", idleSince)
    .where(working(now));
}

/** A token for a cookie or link: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}
