import type { ActContext, Organization } from "../../kernel/caller.ts";
import { letOthersIn } from "../../kernel/slices.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { scopeColumn } from "../accounts/keys.ts";
import {
  endMembership,
  followActivity,
  type Grant,
  giveMembership,
  wouldLoseLastAdmin,
} from "../members/memberships.ts";
import { endSessionsOf, type Person } from "../members/persons.ts";
import type { Profile } from "../sign-in/profile.ts";
import type { LoginProvider } from "../sign-in/provider.ts";
import { rolesFor } from "../sign-in/role-map.ts";
import type { ScimRow } from "./records.ts";

/*
 * Rights that follow from SCIM. While a user is inactive or deleted there, the person has no access in the
 * organization, whatever else gives a role; and if no other organization is left, all sessions end with the same write.
 */

/** A provider's users and groups in an organization. */
export interface Provisioning {
  readonly org: Organization;
  readonly provider: LoginProvider;
  readonly by: ActContext;
}

const source = "scim" as const;

/** Number of people who are compared with the role map before other requests are served. */
const PEOPLE_AT_ONCE = 50;

/** Makes roles follow the users' groups and activity. Returns the names of last admins, who keep their access. */
export async function followUsers(
  db: Database,
  { org, provider, by }: Provisioning,
  userIds: readonly string[],
): Promise<string[]> {
  const users = await linkedUsers(db, userIds);
  if (users.length === 0) return [];
  const groups = await groupsOf(db, users);
  const accounts = await accountsOf(db, org, provider, users);
  const from = { source, provider: provider.name };
  const kept: string[] = [];
  let seen = 0;
  for (const { userId, active, ...person } of users) {
    // A group may have thousands of members.
    if (++seen % PEOPLE_AT_ONCE === 0) await letOthersIn();
    const account = accounts.get(person.id);
    const isLive = account !== undefined && account.endedAt === null;
    const wanted = active ? rolesFor(provider, groups.get(userId) ?? []).get(org.name) : undefined;
    const isAsWanted = isSame(account, wanted);
    if (isLive === active && isAsWanted) continue;
    const mayStay =
      (account === undefined || isLive === active || (await followActivity(db, by, person))) &&
      (isAsWanted || (await change(db, by, { person, from, wanted, label: provider.label })));
    if (!mayStay) kept.push(person.name);
    else if (!active || wanted === undefined) await endSessionsWithoutMembership(db, person.id);
  }
  return kept;
}

interface Change {
  readonly person: Person;
  readonly from: { readonly source: typeof source; readonly provider: string };
  readonly wanted: Grant | undefined;
  readonly label: string;
}

/** @returns false if the last admin stays */
async function change(
  db: Database,
  by: ActContext,
  { person, from, wanted, label }: Change,
): Promise<boolean> {
  if (wanted === undefined) return endMembership(db, by, person, from);
  if (await wouldLoseLastAdmin(db, by, person.id, { ...from, role: wanted.role })) return false;
  await giveMembership(db, by, person, { ...from, grant: wanted, by: label });
  return true;
}

function isSame(
  account: { role: string | null; scope: string | null } | undefined,
  wanted: Grant | undefined,
): boolean {
  if (wanted === undefined) return (account?.role ?? null) === null;
  return account?.role === wanted.role && account.scope === scopeColumn(wanted.scope);
}

async function linkedUsers(db: Database, userIds: readonly string[]) {
  const rows = await db
    .selectFrom("scim_resources as user")
    .innerJoin("people", "people.id", "user.person_id")
    .select(["user.id as userId", "user.active"])
    .select(["people.id", "people.name", "people.email", "people.org_id as orgId"])
    .where("user.id", "in", listed(userIds))
    .execute();
  return rows.map(({ active, ...user }) => ({ ...user, active: active === 1 }));
}

/** Names and external ids of the groups of users. */
async function groupsOf(db: Database, users: readonly { readonly userId: string }[]) {
  const rows = await db
    .selectFrom("scim_group_members as member")
    .innerJoin("scim_resources as group", "group.id", "member.group_id")
    .select(["member.user_id", "group.name", "group.external_id"])
    .where("member.user_id", "in", listed(users.map(({ userId }) => userId)))
    .execute();
  const found = new Map<string, string[]>();
  for (const { user_id, name, external_id } of rows) {
    const groups = [...(found.get(user_id) ?? []), name];
    found.set(user_id, external_id === null ? groups : [...groups, external_id]);
  }
  return found;
}

/** Accounts of people, by the id of the person, with the role that SCIM gave. */
async function accountsOf(
  db: Database,
  org: Organization,
  provider: LoginProvider,
  people: readonly { readonly id: string }[],
) {
  const rows = await db
    .selectFrom("service_accounts as account")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.account_id", "=", "account.id")
        .on("memberships.source", "=", source)
        .on("memberships.provider", "=", provider.name),
    )
    .select(["account.person_id", "account.deleted_at as endedAt", "memberships.role", "memberships.scope"])
    .where("account.org_id", "=", org.id)
    .where("account.person_id", "in", listed(people.map(({ id }) => id)))
    .execute();
  return new Map(rows.map(({ person_id, ...account }) => [person_id ?? "", account]));
}

async function endSessionsWithoutMembership(db: Database, personId: string): Promise<void> {
  const left = await db
    .selectFrom("service_accounts")
    .select("id")
    .where("person_id", "=", personId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (left === undefined) await endSessionsOf(db, personId);
}

/** The only person whom the provider's sign-ins know by this external id. Undefined if there is none, or several. */
export async function personKnownAs(
  db: Database,
  { provider }: Pick<Provisioning, "provider">,
  externalId: string | null,
): Promise<string | undefined> {
  if (externalId === null) return undefined;
  const [found, another] = await db
    .selectFrom("identities")
    .select("person_id")
    .where("realm", "=", provider.org?.id ?? "")
    .where("issuer", "=", provider.issuer)
    .where("external_id", "=", externalId)
    .limit(2)
    .execute();
  return another === undefined ? found?.person_id : undefined;
}

/** Links a user to a person, or to none. Returns the names of last admins, who keep their access. */
export async function linkUser(
  db: Database,
  { org, provider, by }: Provisioning,
  user: Pick<ScimRow, "id" | "person_id">,
  personId: string | undefined,
): Promise<string[]> {
  if (user.person_id === (personId ?? null)) return [];
  await db
    .updateTable("scim_resources")
    .set({ person_id: personId ?? null })
    .where("id", "=", user.id)
    .execute();
  if (personId !== undefined) {
    await db
      .deleteFrom("scim_resources")
      .where("org_id", "=", org.id)
      .where("provider", "=", provider.name)
      .where("person_id", "=", personId)
      .where("deleted_at", "is not", null)
      .execute();
  }
  const former = await db
    .selectFrom("people")
    .select(["id", "name", "email"])
    .where("id", "=", user.person_id ?? "")
    .executeTakeFirst();
  if (former === undefined) return [];
  const hasEnded = await endMembership(db, by, former, { source, provider: provider.name });
  await endSessionsWithoutMembership(db, former.id);
  return hasEnded ? [] : [former.name];
}

interface SigningIn {
  readonly provider: LoginProvider;
  readonly profile: Pick<Profile, "subject" | "claims">;
  readonly person: Person;
  /** The act in an organization. */
  readonly actIn: (orgId: string) => ActContext;
}

/**
 * Links the person who signs in to the users that SCIM sent, and follows them. Returns the organizations whose last
 * admin keeps the access that SCIM ends.
 */
export async function followScim(
  db: Database,
  { provider, profile, person, actIn }: SigningIn,
): Promise<string[]> {
  const { scimClaim: claim } = provider;
  const value = Object.hasOwn(profile.claims, claim) ? profile.claims[claim] : undefined;
  const externalId = typeof value === "string" && value !== "" ? value : null;
  await db
    .updateTable("identities")
    .set({ external_id: externalId })
    .where("realm", "=", provider.org?.id ?? "")
    .where("issuer", "=", provider.issuer)
    .where("subject", "=", profile.subject)
    .execute();
  const known = await personKnownAs(db, { provider }, externalId);
  const users = await db
    .selectFrom("scim_resources as user")
    .innerJoin("organizations as org", "org.id", "user.org_id")
    .select(["user.id", "user.person_id", "user.external_id", "user.active"])
    .select(["org.id as orgId", "org.name as orgName"])
    .where("user.provider", "=", provider.name)
    .where("user.kind", "=", "User")
    .where(({ or, eb }) =>
      or([eb("user.external_id", "=", externalId ?? ""), eb("user.person_id", "=", person.id)]),
    )
    .orderBy("org.name")
    .execute();
  const kept: string[] = [];
  for (const { orgId, orgName, ...user } of users) {
    const provisioning = { org: { id: orgId, name: orgName }, provider, by: actIn(orgId) };
    const refused =
      user.external_id === externalId && known === person.id
        ? await linkUser(db, provisioning, user, person.id)
        : [];
    refused.push(...(await followUsers(db, provisioning, [user.id])));
    if (refused.length === 0) continue;
    kept.push(orgName);
    // Without the link, no later write ends the access of the last admin.
    if (user.active === 0)
      await db.updateTable("scim_resources").set({ person_id: null }).where("id", "=", user.id).execute();
  }
  return kept;
}

/** Whether SCIM has deactivated or deleted the person's user in an organization. */
export async function wasDeactivated(db: Database, personId: string): Promise<boolean> {
  const found = await db
    .selectFrom("scim_resources")
    .select("id")
    .where("person_id", "=", personId)
    .where("active", "=", 0)
    .executeTakeFirst();
  return found !== undefined;
}
