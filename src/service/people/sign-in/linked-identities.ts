import { record } from "../../events/record.ts";
import type { ActContext, RequestSource } from "../../kernel/caller.ts";
import { Conflict, Invalid, Unproven } from "../../kernel/errors.ts";
import type { Database } from "../../store/tables.ts";
import { endMembership } from "../members/memberships.ts";
import { personOf } from "../members/persons.ts";
import type { Profile } from "./profile.ts";
import type { LoginProvider } from "./provider.ts";
import { organizationsOf, requireAllowed } from "./sign-in.ts";

/*
 * The accounts at providers with which a person signs in. A person links another one while signed in: an email address
 * proves nothing, because the provider of another organization may send any.
 */

interface Acting {
  readonly personId: string;
  readonly source: RequestSource;
  /** Unix seconds. */
  readonly now: number;
}

/** A person's accounts, and the organization whose provider signs the person in. */
export async function identitiesOf(db: Database, personId: string) {
  return db
    .selectFrom("identities")
    .innerJoin("people", "people.id", "identities.person_id")
    .select(["identities.issuer", "identities.subject", "people.org_id as orgId"])
    .where("people.id", "=", personId)
    .orderBy("issuer")
    .orderBy("subject")
    .execute();
}

/** Whether people of a provider may have accounts of the other. Otherwise an organization could sign in its people elsewhere. */
export function isSameRealm({ org }: Pick<LoginProvider, "org">, orgId: string | null): boolean {
  return (org?.id ?? null) === orgId;
}

/**
 * Adds the account that a provider has just proven.
 *
 * @throws Unproven
 */
export async function linkIdentity(
  db: Database,
  { provider, profile }: { readonly provider: LoginProvider; readonly profile: Profile },
  { personId, ...by }: Acting,
): Promise<void> {
  requireAllowed(provider, profile);
  const own = await identitiesOf(db, personId);
  const { label, issuer } = provider;
  const { subject } = profile;
  if (own.some((each) => each.issuer === issuer && each.subject === subject)) return;
  if (!own.some(({ orgId }) => isSameRealm(provider, orgId)))
    throw new Unproven("login.refused", `Accounts of ${label} cannot be linked to yours`);
  const orgId = provider.org?.id ?? null;
  const other = await personOf(db, { orgId, issuer, subject });
  if (other !== undefined && (await isInUse(db, other)))
    throw new Unproven("login.refused", `This account of ${label} belongs to another person`);
  await db
    .insertInto("identities")
    .values({ realm: orgId ?? "", issuer, subject, external_id: null, person_id: personId })
    .onConflict((conflict) =>
      conflict.columns(["realm", "issuer", "subject"]).doUpdateSet({ person_id: personId }),
    )
    .execute();
  if (other !== undefined) await removeWithoutIdentity(db, other);
  await recordIn(db, "member.identity_linked", { personId, issuer, subject }, by);
}

/**
 * Removes an account, the roles that its groups gave and its sessions. Does nothing if there is no such account.
 *
 * @param providers those that sign in with the account
 * @throws Invalid, Conflict
 */
export async function unlinkIdentity(
  db: Database,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
  providers: readonly Pick<LoginProvider, "name">[],
  { personId, ...by }: Acting,
): Promise<void> {
  const own = await identitiesOf(db, personId);
  if (!own.some((each) => each.issuer === issuer && each.subject === subject)) return;
  if (own.length === 1)
    throw new Invalid("request.field_invalid", "Link another account before you remove this one");
  await recordIn(db, "member.identity_removed", { personId, issuer, subject }, by);
  await db
    .deleteFrom("identities")
    .where("person_id", "=", personId)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .execute();
  const person = await db
    .selectFrom("people")
    .select(["id", "name", "email"])
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  for (const { name: provider } of providers) {
    // No later sign-in would end them.
    for (const org of await organizationsOf(db, personId)) {
      if (await endMembership(db, actIn(org, by), person, { source: "groups", provider })) continue;
      throw new Conflict(
        "member.last_admin",
        "You are the last admin by this account: make another person or service account an admin first",
      );
    }
    for (const table of ["device_logins", "sessions"] as const) {
      await db.deleteFrom(table).where("person_id", "=", personId).where("provider", "=", provider).execute();
    }
  }
}

/** Whether a person had a role or is known to SCIM. A refused sign-in leaves a person without either. */
async function isInUse(db: Database, personId: string): Promise<boolean> {
  for (const table of ["service_accounts", "scim_resources"] as const) {
    const found = await db
      .selectFrom(table)
      .select("id")
      .where("person_id", "=", personId)
      .executeTakeFirst();
    if (found !== undefined) return true;
  }
  return false;
}

async function removeWithoutIdentity(db: Database, personId: string): Promise<void> {
  await db
    .deleteFrom("people")
    .where("id", "=", personId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("identities").select("issuer").where("person_id", "=", personId))),
    )
    .execute();
}

type Act = "member.identity_linked" | "member.identity_removed";
type By = Omit<Acting, "personId">;
type Account = Awaited<ReturnType<typeof organizationsOf>>[number];

/** Records the act in every organization of the person. */
async function recordIn(
  db: Database,
  type: Act,
  { personId, ...details }: { personId: string; issuer: string; subject: string },
  by: By,
): Promise<void> {
  for (const org of await organizationsOf(db, personId)) {
    const subject = { id: org.accountId, name: org.name };
    await record(db, actIn(org, by), { type, subject, data: { details } });
  }
}

function actIn({ id, accountId, name }: Account, { source, now }: By): ActContext {
  return { ...source, orgId: id, now, accountName: name, accountId, keyId: null };
}
