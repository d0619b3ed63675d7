import { withKey } from "../../delivery/rules/secrets.ts";
import { record } from "../../events/record.ts";
import type { ActContext, RequestSource } from "../../kernel/caller.ts";
import { Unproven } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Database } from "../../store/tables.ts";
import { findOrganization } from "../accounts/organizations.ts";
import { acceptInvitation } from "../members/invitations.ts";
import { endMembership, giveMembership, wouldLoseLastAdmin } from "../members/memberships.ts";
import { beginPersonSession } from "../members/person-sessions.ts";
import { type Person, signedInPerson } from "../members/persons.ts";
import { followScim, wasDeactivated } from "../scim/rights.ts";
import { forgetSession } from "../sessions.ts";
import type { Profile } from "./profile.ts";
import type { LoginProvider } from "./provider.ts";
import { rolesFor } from "./role-map.ts";

interface SignIn {
  readonly provider: LoginProvider;
  readonly profile: Profile;
  readonly source: RequestSource;
  /** Name of the browser. */
  readonly client: string | null;
  /** The token of the browser's earlier session, which ends. */
  readonly earlier?: string | undefined;
  /** The token of an invitation to accept. */
  readonly invitation?: string | undefined;
  readonly log: Log;
}

/** @throws Unproven for an address that the provider may not sign in */
export function requireAllowed({ allowedDomains, label }: LoginProvider, { email }: Profile): void {
  if (allowedDomains.length === 0) return;
  const domain = /.@([^@]+)$/.exec(email ?? "")?.[1]?.toLowerCase();
  if (domain !== undefined && allowedDomains.some((each) => each.toLowerCase() === domain)) return;
  const has = email === null ? "has no verified email address" : `has the address ${email}`;
  throw new Unproven(
    "login.refused",
    `${label} signs in people of ${allowedDomains.join(", ")} only, and this account ${has}`,
  );
}

/**
 * Signs a person in. Returns the token of the session and the organization of an accepted invitation, or the reason
 * that there is none. Memberships that the groups no longer give end in either case.
 */
export async function signPersonIn(
  { store, secrets, now }: ServiceContext,
  { provider, profile, source, client, earlier, invitation, log }: SignIn,
): Promise<{ token: string; joined: string[] } | { problem: string }> {
  requireAllowed(provider, profile);
  const at = now();
  const idToken = profile.idToken;
  return store.write(async (db) => {
    const identity = { orgId: provider.org?.id ?? null, issuer: provider.issuer, subject: profile.subject };
    const person = await signedInPerson(db, identity, { ...profile, now: at });
    if (person.endedAt !== null) return { problem: "This account was deactivated" };
    const by = { source, now: at };
    const actIn = (orgId: string) => contextOf(provider, orgId, by);
    const keptByScim = await followScim(db, { provider, profile, person, actIn });
    for (const kept of [...keptByScim, ...(await followGroups(db, { provider, profile, person, by }))])
      log({
        level: "warn",
        message: `The last admin of ${kept} keeps the role that ${provider.label} gives no more`,
      });
    const joined: string[] = [];
    if (invitation !== undefined) {
      const contextIn = (orgId: string) => contextOf(provider, orgId, by);
      const accepted = await acceptInvitation(db, { token: invitation, person, contextIn }, at);
      if ("problem" in accepted) return accepted;
      joined.push(accepted.org);
    }
    const orgs = await organizationsOf(db, person.id);
    if (orgs.length === 0) {
      const isOut = await wasDeactivated(db, person.id);
      return { problem: isOut ? `${provider.label} deactivated this account` : noRole(provider, profile) };
    }
    for (const { id, accountId, name } of orgs) {
      await record(db, contextOf(provider, id, by), {
        type: "member.signed_in",
        subject: { id: accountId, name },
        data: { details: { provider: provider.name } },
      });
    }
    if (earlier !== undefined) await forgetSession(db, earlier);
    const sealed = idToken === null ? undefined : withKey(() => secrets.seal(person.id, idToken));
    const token = await beginPersonSession(db, {
      ...{ kind: "browser", personId: person.id, now: at, client, address: source.address },
      ...{ provider: provider.name, provider_session: profile.providerSession, id_token: sealed ?? null },
    });
    return { token, joined };
  });
}

interface Following {
  readonly provider: LoginProvider;
  readonly profile: Profile;
  readonly person: Person;
  readonly by: By;
}

interface By {
  readonly source: RequestSource;
  readonly now: number;
}

/** Gives and ends the memberships that follow from groups. Returns organizations whose last admin keeps the role. */
async function followGroups(db: Database, { provider, profile, person, by }: Following): Promise<string[]> {
  const roles = rolesFor(provider, profile.groups);
  const from = { source: "groups", provider: provider.name } as const;
  const existing = await groupMemberships(db, person.id, provider.name);
  const kept: string[] = [];
  for (const [name, grant] of roles) {
    const org = await findOrganization(db, name);
    if (org === undefined || (!provider.sync && existing.some(({ id }) => id === org.id))) continue;
    const context = contextOf(provider, org.id, by);
    if (await wouldLoseLastAdmin(db, context, person.id, { ...from, grant })) kept.push(name);
    else await giveMembership(db, context, person, { ...from, grant, by: provider.label });
  }
  if (!provider.sync) return kept;
  for (const { id, name } of existing.filter((org) => !roles.has(org.name))) {
    if (!(await endMembership(db, contextOf(provider, id, by), person, from))) kept.push(name);
  }
  return kept;
}

/** Organizations in which a provider's groups gave the person a membership. */
function groupMemberships(db: Database, personId: string, provider: string) {
  return db
    .selectFrom("memberships")
    .innerJoin("service_accounts as account", "account.id", "memberships.account_id")
    .innerJoin("organizations as org", "org.id", "account.org_id")
    .select(["org.id", "org.name"])
    .where("account.person_id", "=", personId)
    .where("memberships.source", "=", "groups")
    .where("memberships.provider", "=", provider)
    .orderBy("org.name")
    .execute();
}

export function organizationsOf(db: Database, personId: string) {
  return db
    .selectFrom("service_accounts as account")
    .select(["account.org_id as id", "account.id as accountId", "account.name"])
    .where("account.person_id", "=", personId)
    .where("account.deleted_at", "is", null)
    .orderBy("account.org_id")
    .execute();
}

/** A provider's acts have its name in the audit log. */
function contextOf({ label }: Pick<LoginProvider, "label">, orgId: string, { source, now }: By): ActContext {
  return { ...source, orgId, now, accountName: label, accountId: null, keyId: null };
}

/** Shown only to the person whose groups they are. */
export function noRole({ roleMap, label }: LoginProvider, { groups }: Pick<Profile, "groups">): string {
  const wanted = [...new Set(roleMap.flatMap(({ group }) => group ?? []))];
  const missing = wanted.length === 0 ? "No group gives access" : `Access needs one of ${shown(wanted)}`;
  return `${label} sent ${groupsSent(groups)}. ${missing}`;
}

function groupsSent(groups: readonly string[]): string {
  const [only, ...more] = groups;
  if (only === undefined) return "no groups, so you have no role here";
  if (more.length === 0) return `the group ${only}, which gives no role here`;
  return `the groups ${shown(groups)}, which give no role here`;
}

const MOST_SHOWN = 20;

function shown(names: readonly string[]): string {
  const more = names.length - MOST_SHOWN;
  return names.slice(0, MOST_SHOWN).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
