import { expressionBuilder } from "kysely";
import { INVITATION_SECONDS } from "../../../api/resources/members.ts";
import { record } from "../../events/record.ts";
import { covers } from "../../kernel/access.ts";
import { asciiLower } from "../../kernel/ascii-lower.ts";
import { type ActContext, isRole } from "../../kernel/caller.ts";
import { scopeText } from "../../kernel/scope.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { hashOf, scopeColumn, scopeIn } from "../accounts/keys.ts";
import { newToken } from "../sessions.ts";
import { type Grant, giveMembership, wouldLoseLastAdmin } from "./memberships.ts";
import type { Person } from "./persons.ts";

export type Invitation = Awaited<ReturnType<typeof invitationsOf>>[number];

interface NewInvitation {
  readonly email: string;
  readonly grant: Grant;
  /** Id of the account that invites. */
  readonly accountId: string;
}

/** Returns the invitation and its token; only the hash is stored. */
export async function insertInvitation(
  db: Database,
  { orgId, accountName, now }: ActContext,
  { email, grant, accountId }: NewInvitation,
): Promise<Invitation & { token: string }> {
  const token = newToken();
  const id = newId();
  const times = { created_at: now, expires_at: Math.floor(now + INVITATION_SECONDS) };
  await db
    .insertInto("invitations")
    .values({
      ...{ id, org_id: orgId, token_hash: hashOf(token), email },
      ...{ role: grant.role, scope: scopeColumn(grant.scope) },
      ...{ created_by: accountName, created_by_id: accountId },
      ...{ ...times, revoked_at: null, accepted_at: null, accepted_by: null },
    })
    .execute();
  const given = { createdBy: accountName, createdAt: now, expiresAt: times.expires_at };
  return { id, email, ...grant, ...given, token };
}

/** Invitations that can be accepted, newest first. Those of accounts that may not give the role any more cannot. */
export async function invitationsOf(db: Database, orgId: string, now: number) {
  const rows = await open(db, now)
    .where("invitations.org_id", "=", orgId)
    .orderBy("invitations.created_at", "desc")
    .orderBy("invitations.id")
    .execute();
  return rows.flatMap(asInvitation);
}

/** Revokes an invitation that can be accepted. */
export async function withdrawInvitation(db: Database, id: string, now: number): Promise<void> {
  await db.updateTable("invitations").set({ revoked_at: now }).where("id", "=", id).execute();
}

/** Finds an invitation that can be accepted, and its organization, by the token of its link. */
export async function findInvitation(db: Database, token: string, now: number) {
  const row = await open(db, now)
    .innerJoin("organizations as org", "org.id", "invitations.org_id")
    .select(["org.id as orgId", "org.name as orgName"])
    .where("invitations.token_hash", "=", hashOf(token))
    .executeTakeFirst();
  const [invitation] = row === undefined ? [] : asInvitation(row);
  return row && invitation && { ...invitation, org: { id: row.orgId, name: row.orgName } };
}

function open(db: Database, now: number) {
  return db
    .selectFrom("invitations")
    .innerJoin("service_accounts as inviter", "inviter.id", "invitations.created_by_id")
    .select(["invitations.id", "invitations.email", "invitations.role", "invitations.scope"])
    .select(["invitations.created_by as createdBy", "invitations.created_at as createdAt"])
    .select(["invitations.expires_at as expiresAt", "inviter.role as inviterRole"])
    .where("inviter.deleted_at", "is", null)
    .where(mayInvite())
    .where("invitations.revoked_at", "is", null)
    .where("invitations.accepted_at", "is", null)
    .where("invitations.expires_at", ">", now);
}

/** Whether the inviter has no scope. A person's only key has the scope of the person. */
function mayInvite() {
  const { or, eb, exists, selectFrom } = expressionBuilder<
    Tables & { inviter: Tables["service_accounts"] },
    "inviter"
  >();
  const key = selectFrom("api_keys")
    .select("api_keys.id")
    .whereRef("api_keys.service_account_id", "=", "inviter.id")
    .where("api_keys.scope", "is", null);
  return or([eb("inviter.person_id", "is", null), exists(key)]);
}

interface Row {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly scope: string | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly inviterRole: string;
}

function asInvitation({ id, email, role, scope, createdBy, createdAt, expiresAt, inviterRole }: Row) {
  return isRole(role) && isRole(inviterRole) && covers(inviterRole, role)
    ? [{ id, email, role, scope: scopeIn(scope), createdBy, createdAt, expiresAt }]
    : [];
}

export const UNUSABLE = "This invitation does not exist, was used or revoked, or has expired";

/**
 * Gives the membership of an invitation to the person who signs in.
 *
 * @param contextIn returns the context of acts in an organization
 * @returns the name of the organization, or the problem if the invitation is not for the person, and stays
 */
export async function acceptInvitation(
  db: Database,
  { token, person, contextIn }: { token: string; person: Person; contextIn: (orgId: string) => ActContext },
  now: number,
): Promise<{ org: string } | { problem: string }> {
  const invitation = await findInvitation(db, token, now);
  if (invitation === undefined) return { problem: UNUSABLE };
  const { id, email, role, scope, createdBy, org } = invitation;
  if (person.orgId !== null && person.orgId !== org.id) {
    return { problem: `The provider belongs to another organization, so it cannot sign in to ${org.name}` };
  }
  if (person.email === null || asciiLower(person.email) !== asciiLower(email)) {
    const signedIn =
      person.email === null ? "has no verified email address" : `has the address ${person.email}`;
    return { problem: `The invitation to ${org.name} is for ${email}, and this account ${signedIn}` };
  }
  const context = contextIn(org.id);
  const grant = { role, scope };
  if (await wouldLoseLastAdmin(db, context, person.id, { source: "invitation", grant })) {
    const given = `${role} ${scopeText(scope)}`.trim();
    return { problem: `You are the last admin of ${org.name}, and the invitation gives the role ${given}` };
  }
  const accountId = await giveMembership(db, context, person, {
    ...{ source: "invitation", grant, by: createdBy },
  });
  const { name } = await db
    .selectFrom("service_accounts")
    .select("name")
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  await db
    .updateTable("invitations")
    .set({ accepted_at: now, accepted_by: name })
    .where("id", "=", id)
    .execute();
  await record(db, context, {
    type: "invitation.accepted",
    subject: { id, name },
    data: { details: { email, privilege: role, invited_by: createdBy } },
  });
  return { org: org.name };
}
