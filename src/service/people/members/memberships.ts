import { record, recordChange } from "../../events/record.ts";
import { type ActContext, isRole, ROLES, type Role } from "../../kernel/caller.ts";
import { type Scope, scopeOf, scopeText } from "../../kernel/scope.ts";
import { listed } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { MembershipSource } from "../../store/people-tables.ts";
import type { Database } from "../../store/tables.ts";
import { createPersonKey, scopeColumn, scopeIn } from "../accounts/keys.ts";
import { hasAnotherAdmin } from "../accounts/records.ts";
import { freeAccountName } from "./account-names.ts";
import type { Person } from "./persons.ts";

export interface Grant {
  readonly role: Role;
  /** Null for the whole organization. */
  readonly scope: Scope;
}

interface From {
  readonly source: MembershipSource;
  /** Address name of the provider of the groups. Default: none. */
  readonly provider?: string;
}

interface Given extends From {
  readonly grant: Grant;
  /** Name of the account or provider that gives it. */
  readonly by: string;
}

type Member = Pick<Person, "id" | "name" | "email">;

/** A person's account in an organization, even if the memberships have ended. */
async function accountOf(db: Database, orgId: string, personId: string) {
  return db
    .selectFrom("service_accounts as account")
    .innerJoin("api_keys as key", "key.service_account_id", "account.id")
    .select(["account.id", "account.name", "account.role", "account.deleted_at as endedAt"])
    .select(["key.id as keyId", "key.scope"])
    .where("account.org_id", "=", orgId)
    .where("account.person_id", "=", personId)
    .executeTakeFirst();
}

/** Gives a person a membership, in place of an earlier one of the same source. Returns the id of the account. */
export async function giveMembership(
  db: Database,
  by: ActContext,
  person: Member,
  { source, provider = "", grant, by: giver }: Given,
): Promise<string> {
  const { orgId, now } = by;
  const { id } = (await accountOf(db, orgId, person.id)) ?? (await newAccount(db, by, person, grant));
  const fields = { role: grant.role, scope: scopeColumn(grant.scope), given_by: giver };
  await db
    .insertInto("memberships")
    .values({ account_id: id, source, provider, ...fields, created_at: now })
    .onConflict((conflict) => conflict.columns(["account_id", "source", "provider"]).doUpdateSet(fields))
    .execute();
  await settle(db, by, person, source);
  return id;
}

/** Ends the memberships of a source. Does nothing if there are none. @returns false if the last admin stays */
export async function endMembership(
  db: Database,
  by: ActContext,
  person: Member,
  { source, provider = "" }: From,
): Promise<boolean> {
  const account = await accountOf(db, by.orgId, person.id);
  if (account === undefined) return true;
  const which = (grant: { source: string; provider: string }) =>
    grant.source === source && grant.provider === provider;
  const left = (await grantsOf(db, account.id)).filter((grant) => !which(grant));
  if (!(await keepsAnAdmin(db, by, account, left))) return false;
  await db
    .deleteFrom("memberships")
    .where("account_id", "=", account.id)
    .where("source", "=", source)
    .where("provider", "=", provider)
    .execute();
  await settle(db, by, person, source);
  return true;
}

/** Sources that the organization itself decides, by its accounts. A manual membership replaces an accepted invitation. */
export const OWN_SOURCES: readonly MembershipSource[] = ["manual", "invitation"];

/**
 * Gives a person a manual membership in place of what the organization gave before, or ends that. Groups and SCIM keep
 * what they give.
 *
 * @returns false if the last admin stays
 */
export async function setOwnMembership(
  db: Database,
  by: ActContext,
  person: Member,
  grant: Grant | undefined,
): Promise<boolean> {
  const account = await accountOf(db, by.orgId, person.id);
  if (account === undefined) return true;
  const grants = await grantsOf(db, account.id);
  const manual = grants.find(({ source }) => source === "manual");
  if (manual !== undefined && grant !== undefined && textOf(manual) === textOf(grant)) return true;
  const others = grants.filter(({ source }) => !OWN_SOURCES.includes(source));
  const left = grant === undefined ? others : [...others, grant];
  if (!(await keepsAnAdmin(db, by, account, left))) return false;
  await db
    .deleteFrom("memberships")
    .where("account_id", "=", account.id)
    .where("source", "in", listed(OWN_SOURCES))
    .execute();
  if (grant !== undefined) {
    const fields = { role: grant.role, scope: scopeColumn(grant.scope), given_by: by.accountName };
    await db
      .insertInto("memberships")
      .values({ account_id: account.id, source: "manual", provider: "", ...fields, created_at: by.now })
      .execute();
  }
  if (await settle(db, by, person, "manual")) return true;
  // A stronger membership hides it, but it counts when that one ends.
  const subject = { id: account.id, name: account.name };
  const details = { source: "manual", given: grant === undefined ? "nothing" : textOf(grant) };
  await record(db, by, { type: "member.changed", subject, data: { details } });
  return true;
}

/** `admin flows:web` */
function textOf({ role, scope }: Grant): string {
  return `${role} ${scopeText(scope)}`.trim();
}

/** Ends all memberships of a person in an organization. @returns false if the last admin stays */
export async function endAllMemberships(
  db: Database,
  by: ActContext,
  person: Member,
  source: MembershipSource,
): Promise<boolean> {
  const account = await accountOf(db, by.orgId, person.id);
  if (account === undefined || account.endedAt !== null) return true;
  if (!(await keepsAnAdmin(db, by, account, []))) return false;
  await db.deleteFrom("memberships").where("account_id", "=", account.id).execute();
  await settle(db, by, person, source);
  return true;
}

/** Ends or restores an account after SCIM deactivated or activated its user. @returns false if the last admin stays */
export async function followActivity(db: Database, by: ActContext, person: Member): Promise<boolean> {
  const account = await accountOf(db, by.orgId, person.id);
  if (account === undefined) return true;
  const isEnding = await isDeactivated(db, by.orgId, person.id);
  if (isEnding && !(await keepsAnAdmin(db, by, account, []))) return false;
  await settle(db, by, person, "scim");
  return true;
}

/** Whether SCIM says that the person's user in this organization is inactive or deleted. */
async function isDeactivated(db: Database, orgId: string, personId: string): Promise<boolean> {
  const found = await db
    .selectFrom("scim_resources")
    .select("id")
    .where("person_id", "=", personId)
    .where("org_id", "=", orgId)
    .where("active", "=", 0)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether giving this would leave the organization without an admin. */
export async function wouldLoseLastAdmin(
  db: Database,
  by: Pick<ActContext, "orgId" | "now">,
  personId: string,
  { source, provider = "", grant }: From & { readonly grant: Grant },
): Promise<boolean> {
  const account = await accountOf(db, by.orgId, personId);
  if (account === undefined) return false;
  const others = (await grantsOf(db, account.id)).filter(
    (other) => other.source !== source || other.provider !== provider,
  );
  return !(await keepsAnAdmin(db, by, account, [...others, grant]));
}

/** Whether the organization has an admin after the account has only these grants. */
async function keepsAnAdmin(
  db: Database,
  { orgId, now }: Pick<ActContext, "orgId" | "now">,
  { id, role, scope, endedAt }: { id: string; role: string; scope: string | null; endedAt: number | null },
  left: readonly Grant[],
): Promise<boolean> {
  const wasAdmin = administers({ role, scope: scopeIn(scope) }) && endedAt === null;
  const granted = strongest(left);
  return !wasAdmin || (granted !== undefined && administers(granted)) || hasAnotherAdmin(db, orgId, id, now);
}

/** An admin of some flows or environments can change no member. */
function administers({ role, scope }: { readonly role: string; readonly scope: Scope }): boolean {
  return role === "admin" && scope === null;
}

async function grantsOf(db: Database, accountId: string) {
  return (await grantsByAccount(db, [accountId])).get(accountId) ?? [];
}

/** The memberships of accounts, oldest first. */
export async function grantsByAccount(db: Database, accountIds: readonly string[]) {
  const rows = await db
    .selectFrom("memberships")
    .select(["account_id", "source", "provider", "role", "scope"])
    .select(["given_by as givenBy", "created_at as createdAt"])
    .where("account_id", "in", listed(accountIds))
    .orderBy("created_at")
    .orderBy("source")
    .orderBy("provider")
    .execute();
  const grants = rows.flatMap(({ role, scope, ...row }) =>
    isRole(role) ? [{ ...row, role, scope: scopeIn(scope) }] : [],
  );
  return Map.groupBy(grants, ({ account_id }) => account_id);
}

/** The first role of the list that was granted, for all that any grant of it names. Undefined without grants. */
function strongest(grants: readonly Grant[]): Grant | undefined {
  const role = ROLES.find((each) => grants.some((grant) => grant.role === each));
  if (role === undefined) return undefined;
  const scopes = grants.filter((grant) => grant.role === role).map(({ scope }) => scope);
  if (scopes.includes(null)) return { role, scope: null };
  const all = (kind: "flows" | "environments") => scopes.flatMap((scope) => scope?.[kind] ?? []);
  return { role, scope: scopeOf({ flows: all("flows"), environments: all("environments") }) };
}

/** Makes the account have what its memberships give, and records the change. @returns whether something changed */
async function settle(
  db: Database,
  by: ActContext,
  person: Member,
  source: MembershipSource,
): Promise<boolean> {
  const account = await accountOf(db, by.orgId, person.id);
  if (account === undefined) return false;
  const subject = { id: account.id, name: account.name };
  // A deactivated colleague has no access, whatever else gives a role.
  const isOut = await isDeactivated(db, by.orgId, person.id);
  const granted = isOut ? undefined : strongest(await grantsOf(db, account.id));
  const wasMember = account.endedAt === null;
  if (granted === undefined) {
    if (!wasMember) return false;
    await db
      .updateTable("service_accounts")
      .set({ deleted_at: by.now })
      .where("id", "=", account.id)
      .execute();
    const details = { privilege: account.role, source };
    await record(db, by, { type: "member.removed", subject, data: { details } });
    return true;
  }
  const { role, scope } = granted;
  await db
    .updateTable("service_accounts")
    .set({ role, deleted_at: null })
    .where("id", "=", account.id)
    .execute();
  await db
    .updateTable("api_keys")
    .set({ scope: scopeColumn(scope) })
    .where("id", "=", account.keyId)
    .execute();
  const former = scopeIn(account.scope);
  return recordChange(db, by, {
    type: wasMember ? "member.changed" : "member.added",
    subject,
    details: { source },
    before: wasMember ? { privilege: account.role, ...former } : undefined,
    after: { privilege: role, ...scope },
  });
}

/** Creates an ended account, which its first membership begins. */
async function newAccount(
  db: Database,
  { orgId, now }: ActContext,
  person: Member,
  { role }: Grant,
): Promise<{ id: string }> {
  const id = newId();
  const name = await freeAccountName(db, orgId, person);
  await db
    .insertInto("service_accounts")
    .values({
      ...{ id, org_id: orgId, name, role, description: null, created_by_id: null },
      ...{ created_at: now, deleted_at: now, person_id: person.id },
    })
    .execute();
  await createPersonKey(db, { accountId: id, now });
  return { id };
}
