import { randomBytes } from "node:crypto";
import { expressionBuilder } from "kysely";
import { type Caller, isRole, type Organization } from "../../kernel/caller.ts";
import { Busy } from "../../kernel/errors.ts";
import { newId } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { hashOf, type KeyFault, type KeyOwner, scopeIn } from "../accounts/keys.ts";
import { isPending } from "../accounts/records.ts";

/** Separates the tokens of people from keys and from the tokens of workflows. */
const PREFIX = "dep_";

/** Absolute lifetime in seconds, by kind. */
export const PERSON_SECONDS = { browser: 12 * 60 * 60, "command line": 8 * 60 * 60 } as const;
/** Idle lifetime of a browser's session in seconds. */
const IDLE_SECONDS = 2 * 60 * 60;

type Kind = keyof typeof PERSON_SECONDS;

export function isPersonToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

interface NewSession
  extends Pick<Tables["sessions"], "address" | "client" | "provider" | "provider_session" | "id_token"> {
  readonly kind: Kind;
  readonly personId: string;
  readonly now: number;
  /** Organizations that ended the session from which it comes. */
  readonly ended_in?: string;
}

/** Returns the token; only its hash is stored. */
export async function beginPersonSession(
  db: Database,
  { kind, personId, now, ...fields }: NewSession,
): Promise<string> {
  const token = PREFIX + randomBytes(32).toString("base64url");
  await db
    .insertInto("sessions")
    .values({
      ...fields,
      ...{ id: newId(), token_hash: hashOf(token), kind, person_id: personId, api_key_id: null },
      ...{ created_at: now, last_seen_at: now, expires_at: now + PERSON_SECONDS[kind] },
    })
    .execute();
  return token;
}

/** Sessions of people that have not ended. */
export function active(now: number) {
  const { and, or, eb } = expressionBuilder<Tables, "sessions">();
  const isBusy = or([
    eb("sessions.kind", "!=", "browser"),
    eb("sessions.last_seen_at", ">", now - IDLE_SECONDS),
  ]);
  return and([eb("sessions.expires_at", ">", now), isBusy]);
}

/** The session of a person who may still sign in, with one row for each organization of the person. */
const sessionRows = prepared((db, given: Given<{ hash: string }>) =>
  db
    .selectFrom("sessions")
    .innerJoin("people", "people.id", "sessions.person_id")
    .leftJoin("service_accounts as account", (join) =>
      join.onRef("account.person_id", "=", "people.id").on("account.deleted_at", "is", null),
    )
    .leftJoin("api_keys as key", "key.service_account_id", "account.id")
    .leftJoin("organizations as org", "org.id", "account.org_id")
    .select(["sessions.id", "sessions.kind", "sessions.last_seen_at", "sessions.expires_at"])
    .select("sessions.ended_in")
    .select(["people.id as person_id", "people.name as person_name"])
    .select(["account.id as account_id", "account.name", "account.role", "key.id as key_id", "key.scope"])
    .select(["org.id as org_id", "org.name as org_name"])
    .select(isPending().as("is_pending"))
    .where("sessions.token_hash", "=", given("hash"))
    .where("people.ended_at", "is", null)
    .orderBy("org.name"),
);

async function liveSession(db: Database, token: string, { kind, now }: { kind: Kind; now: number }) {
  const rows = await sessionRows(db, { hash: hashOf(token) });
  const [first] = rows;
  if (first?.kind !== kind) return undefined;
  const isOver = first.expires_at <= now || (kind === "browser" && first.last_seen_at <= now - IDLE_SECONDS);
  const members = rows.flatMap(({ account_id, key_id, org_id, org_name, name, role, scope, is_pending }) => {
    if (account_id === null || key_id === null || org_id === null || org_name === null) return [];
    if (name === null || role === null || !isRole(role)) return [];
    if (first.ended_in.includes(` ${org_id} `)) return [];
    const caller: Caller = {
      ...{ keyId: key_id, accountId: account_id, accountName: name, orgId: org_id, role },
      ...{ scope: scopeIn(scope), person: { id: first.person_id } },
      ...(kind === "command line" && { sessionId: first.id }),
    };
    return [{ caller, org: { id: org_id, name: org_name }, isPending: Boolean(is_pending) }];
  });
  const person = { id: first.person_id, name: first.person_name, orgs: members.map(({ org }) => org.name) };
  return { id: first.id, lastSeenAt: first.last_seen_at, isOver, members, person };
}

/** @throws Busy while the roles of the person are being changed */
function settled<Member extends { readonly isPending: boolean }>(member: Member): Omit<Member, "isPending"> {
  const { isPending, ...known } = member;
  if (isPending)
    throw new Busy("service.busy", "Your roles are being changed: try again in a few seconds", 2);
  return known;
}

/** A browser's session, in the named organization or the first one. Undefined for a stranger there. */
export async function findPersonSession(
  db: Database,
  token: string,
  { orgName, ...wanted }: { kind: Kind; now: number; orgName: string | undefined },
) {
  const session = await liveSession(db, token, wanted);
  if (session === undefined || session.isOver) return undefined;
  const { id, lastSeenAt, members, person } = session;
  const member = members.find(({ org }) => org.name === orgName) ?? members[0];
  return member && { id, lastSeenAt, ...settled(member), person, isOperators: false };
}

/** Finds the person of a command line's token, in the named organization. */
export async function findPersonToken(
  db: Database,
  token: string,
  { now, orgName }: { now: number; orgName?: string | undefined },
): Promise<KeyOwner | KeyFault> {
  const session = await liveSession(db, token, { kind: "command line", now });
  if (session === undefined) return "unknown";
  if (session.isOver) return "expired";
  const { members } = session;
  const [first] = members;
  if (first === undefined) return "unknown";
  const member = orgName === undefined ? first : members.find(({ org }) => org.name === orgName);
  if (member !== undefined) return settled(member);
  const named: Organization | undefined = await db
    .selectFrom("organizations")
    .select(["id", "name"])
    .where("name", "=", orgName ?? "")
    .executeTakeFirst();
  return { caller: settled(first).caller, org: named };
}
