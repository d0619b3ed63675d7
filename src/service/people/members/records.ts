import { NotFound } from "../../kernel/errors.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { scopeIn } from "../accounts/keys.ts";
import { grantsByAccount } from "./memberships.ts";
import { active } from "./person-sessions.ts";
import { hasEndedIn } from "./persons.ts";

export type StoredMember = Awaited<ReturnType<typeof membersOf>>[number];

interface Wanted {
  readonly orgId: string;
  readonly now: number;
  /** Default: all. */
  readonly id?: string;
}

/** The people of an organization, by name. */
export async function membersOf(db: Database, { orgId, now, id }: Wanted) {
  let accounts = db
    .selectFrom("service_accounts as account")
    .innerJoin("people", "people.id", "account.person_id")
    .innerJoin("api_keys as key", "key.service_account_id", "account.id")
    .select(["account.id", "account.name", "account.role", "key.scope"])
    .select(["people.id as personId", "people.email", "people.last_seen_at as lastSeenAt"])
    .where("account.org_id", "=", orgId)
    .where("account.deleted_at", "is", null);
  if (id !== undefined) accounts = accounts.where("account.id", "=", id);
  const rows = await accounts.orderBy("account.name").execute();
  const grants = await grantsByAccount(db, idsOf(rows));
  const people = rows.map(({ personId }) => personId);
  const sessions = await sessionCounts(db, people, { orgId, now });
  return rows.map(({ scope, ...row }) => ({
    ...row,
    scope: scopeIn(scope),
    memberships: grants.get(row.id) ?? [],
    sessionCount: sessions.get(row.personId) ?? 0,
  }));
}

async function sessionCounts(db: Database, personIds: readonly string[], { orgId, now }: Wanted) {
  const rows = await db
    .selectFrom("sessions")
    .select(({ fn }) => ["person_id", fn.countAll<number>().as("count")])
    .where("person_id", "in", listed(personIds))
    .where(active(now))
    .where(({ not }) => not(hasEndedIn(orgId)))
    .groupBy("person_id")
    .execute();
  return new Map(rows.map(({ person_id, count }) => [person_id, Number(count)]));
}

/** @throws NotFound */
export async function requireMember(db: Database, wanted: Required<Wanted>): Promise<StoredMember> {
  const [member] = await membersOf(db, wanted);
  if (member === undefined) throw new NotFound("member.not_found", "Member not found");
  return member;
}
