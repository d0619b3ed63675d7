import type { ActContext, Organization } from "../../kernel/caller.ts";
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
import { isExternalId, type ScimRow } from "./records.ts";

/*
 * Rights that follow from SCIM. While a user is inactive or deleted there, the person has no access in the
 * organization, whatever else gives a role; and if no other organization is left, all sessions end with the same write.
 */

/** A provider's users and groups in an organization. */
export interface Provisioning {
  readonly org: Organization;
  readonly provider: Provider;
  readonly by: ActContext;
}

type Provider = Pick<LoginProvider, "name" | "label" | "org" | "issuer" | "roleMap">;

/** A last admin, who keeps the access that SCIM ends. */
export interface Kept {
  readonly userId: string;
  readonly name: string;
}

const source = "scim" as const;

/** Makes roles follow the users' groups and activity. Returns the last admins, who keep their access. */
export async function followUsers(
  db: Database,
  provisioning: Provisioning,
  userIds: readonly string[],
): Promise<Kept[]> {
  const { provider, by } = provisioning;
  const from = { source, provider: provider.name };
  const kept: Kept[] = [];
  const settled: string[] = [];
  for (const user of await comparedUsers(db, provisioning, userIds)) {
    const { userId, active, person, wanted, isKnown, isActive, isAsWanted, isPending } = user;
    const mayStay =
      (!isKnown || isActive || (await followActivity(db, by, person))) &&
      (isAsWanted || (await change(db, by, { person, from, wanted, label: provider.label })));
    if (!mayStay) kept.push({ userId, name: person.name });
    else if (isPending) settled.push(userId);
    if (mayStay && !isFollowed(user) && (!active || wanted === undefined))
      await endSessionsWithoutMembership(db, person.id);
  }
  if (settled.length > 0) await setPending(db, settled, 0);
  return kept;
}

/** Ids of the users whose roles do not follow yet. */
export async function unfollowedUsers(
  db: Database,
  provisioning: Provisioning,
  userIds: readonly string[],
): Promise<string[]> {
  const users = await comparedUsers(db, provisioning, userIds);
  return users.filter((user) => user.isPending || !isFollowed(user)).map(({ userId }) => userId);
}

/** Marks users whose people are refused until their roles have followed, or those that have. */
export async function setPending(db: Database, userIds: readonly string[], pending: 0 | 1): Promise<void> {
  await db
    .updateTable("scim_resources")
    .set({ pending })
    .where("id", "in", listed(userIds))
    .where("person_id", "is not", null)
    .execute();
}

type Compared = Awaited<ReturnType<typeof comparedUsers>>[number];

const isFollowed = ({ isActive, isAsWanted }: Compared) => isActive && isAsWanted;

/** The linked users among these, with the roles that their groups give. */
async function comparedUsers(
  db: Database,
  { org, provider }: Pick<Provisioning, "org" | "provider">,
  userIds: readonly string[],
) {
  const users = await linkedUsers(db, userIds);
  if (users.length === 0) return [];
  const groups = await groupsOf(db, users);
  const accounts = await accountsOf(db, org, provider, users);
  return users.map(({ userId, active, isPending, ...person }) => {
    const account = accounts.get(person.id);
    const isLive = account !== undefined && account.endedAt === null;
    const wanted = active ? rolesFor(provider, groups.get(userId) ?? []).get(org.name) : undefined;
    return {
      ...{ userId, active, isPending, person, wanted, isKnown: account !== undefined },
      ...{ isActive: isLive === active, isAsWanted: isSame(account, wanted) },
    };
  });
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
  if (await wouldLoseLastAdmin(db, by, person.id, { ...from, grant: wanted })) return false;
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
    .select(["user.id as userId", "user.active", "user.pending"])
    .select(["people.id", "people.name", "people.email", "people.org_id as orgId"])
    .where("user.id", "in", listed(userIds))
    .execute();
  return rows.map(({ active, pending, ...user }) => ({
    ...user,
    active: active === 1,
    isPending: pending === 1,
  }));
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
  provider: Provider,
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

/** Links a user to a person, or to none. Returns the last admin, who keeps the access. */
export async function linkUser(
  db: Database,
  { org, provider, by }: Provisioning,
  user: Pick<ScimRow, "id" | "person_id">,
  personId: string | undefined,
): Promise<Kept[]> {
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
  return hasEnded ? [] : [{ userId: user.id, name: former.name }];
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
  const externalId = typeof value === "string" && isExternalId(value) ? value : null;
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
    await letKeep(db, [user.id]);
  }
  return kept;
}

/** Lets last admins keep their access. Without the link to an inactive user, no later write ends it. */
export async function letKeep(db: Database, userIds: readonly string[]): Promise<void> {
  await setPending(db, userIds, 0);
  await db
    .updateTable("scim_resources")
    .set({ person_id: null })
    .where("id", "in", listed(userIds))
    .where("active", "=", 0)
    .execute();
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
