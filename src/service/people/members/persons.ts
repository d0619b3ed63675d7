import { appended, containsExactText } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";

/** The account of a person at a provider. */
export interface Identity {
  /** Id of the organization whose provider it is. Null for a provider of the service. */
  readonly orgId: string | null;
  readonly issuer: string;
  /** `sub` of the provider's tokens. */
  readonly subject: string;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  /** Verified by the provider. */
  readonly email: string | null;
  /** Null for a person of the service's providers, who may belong to any organization. */
  readonly orgId: string | null;
}

/** The id of the person that signs in with an identity. */
export async function personOf(
  db: Database,
  { orgId, issuer, subject }: Identity,
): Promise<string | undefined> {
  const found = await db
    .selectFrom("identities")
    .select("person_id")
    .where("realm", "=", orgId ?? "")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return found?.person_id;
}

/** Finds or creates the person of an identity, and keeps the name and the address that the provider sent last. */
export async function signedInPerson(
  db: Database,
  identity: Identity,
  { name, email, now }: Pick<Person, "name" | "email"> & { now: number },
): Promise<Person & { endedAt: number | null }> {
  const { orgId, issuer, subject } = identity;
  const realm = orgId ?? "";
  const known = await db
    .selectFrom("identities")
    .innerJoin("people", "people.id", "identities.person_id")
    .select(["people.id", "people.ended_at as endedAt"])
    .where("realm", "=", realm)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  if (known !== undefined) {
    const changes = { name, email, last_seen_at: now };
    await db.updateTable("people").set(changes).where("id", "=", known.id).execute();
    return { ...known, name, email, orgId };
  }
  const id = newId();
  await db
    .insertInto("people")
    .values({ id, org_id: orgId, name, email, created_at: now, last_seen_at: now, ended_at: null })
    .execute();
  await db
    .insertInto("identities")
    .values({ realm, issuer, subject, external_id: null, person_id: id })
    .execute();
  return { id, name, email, orgId, endedAt: null };
}

/** Ends the sessions of a person in an organization. They go on in others, because those decide for themselves. */
export async function endSessionsIn(
  db: Database,
  { personId, orgId }: { personId: string; orgId: string },
): Promise<void> {
  const elsewhere = await db
    .selectFrom("service_accounts")
    .select("id")
    .where("person_id", "=", personId)
    .where("org_id", "!=", orgId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (elsewhere === undefined) return endSessionsOf(db, personId);
  // Approved requests of command lines are about to become sessions.
  for (const table of ["device_logins", "sessions"] as const) {
    await db
      .updateTable(table)
      .set({ ended_in: appended("ended_in", ` ${orgId} `) })
      .where("person_id", "=", personId)
      .where(({ not }) => not(hasEndedIn(orgId)))
      .execute();
  }
}

/** Whether an organization ended a person's session. */
export function hasEndedIn(orgId: string) {
  return containsExactText("ended_in", ` ${orgId} `);
}

/** Ends all sessions of a person, of browsers and command lines, and those that are about to begin. */
export async function endSessionsOf(db: Database, personId: string): Promise<void> {
  await db.deleteFrom("device_logins").where("person_id", "=", personId).execute();
  await db.deleteFrom("sessions").where("person_id", "=", personId).execute();
}
