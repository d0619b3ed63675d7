import { expressionBuilder, type InferResult } from "kysely";
import type { Organization, Role } from "../../kernel/caller.ts";
import { Invalid, NotFound } from "../../kernel/errors.ts";
import { isSameText } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { notRevoked, working } from "./keys.ts";

export type ServiceAccount = ReturnType<typeof asAccount>;

interface NewServiceAccount {
  orgId: string;
  name: string;
  role: Role;
  description?: string | null | undefined;
  /** Account id. */
  createdBy?: string | undefined;
}

/** Returns the id. The name must be free. */
export async function createServiceAccount(
  db: Database,
  account: NewServiceAccount,
  now: number,
): Promise<string> {
  const id = await insertServiceAccount(db, account, now);
  if (id === undefined) throw new Error(`Account '${account.name}' already exists`);
  return id;
}

/** Returns the id, or undefined if the name is taken, ignoring case. */
export async function insertServiceAccount(
  db: Database,
  { orgId, name, role, description = null, createdBy }: NewServiceAccount,
  now: number,
): Promise<string | undefined> {
  const fields = { role, description, created_by_id: createdBy ?? null, created_at: now };
  const existing = await namedLike(db, orgId, name).executeTakeFirst();
  if (existing !== undefined) return undefined;
  const made = await db
    .insertInto("service_accounts")
    .values({ ...fields, id: newId(), org_id: orgId, name })
    // A deleted account keeps its row for its revoked keys, but its name is free.
    .onConflict((conflict) =>
      conflict
        .columns(["org_id", "name"])
        .doUpdateSet({ ...fields, deleted_at: null })
        .where("service_accounts.deleted_at", "is not", null)
        .where("service_accounts.person_id", "is", null),
    )
    .returning("id")
    .executeTakeFirst();
  return made?.id;
}

/** Finds an account, also of a person, by name, ignoring case. */
function namedLike(db: Database, orgId: string, name: string) {
  return db
    .selectFrom("service_accounts as account")
    .select(["account.id", "account.name", "account.role"])
    .where("account.org_id", "=", orgId)
    .where("account.deleted_at", "is", null)
    .where(isSameText("account.name", name));
}

/**
 * Finds or creates an account, by default as a reader.
 *
 * @throws Error when it exists with another role
 */
export async function ensureServiceAccount(
  db: Database,
  { orgId, name, role }: { orgId: string; name: string; role?: Role | undefined },
  now: number,
): Promise<{ id: string; name: string; role: string; created: boolean }> {
  const roleWhenNew = role ?? "reader";
  const made = await insertServiceAccount(db, { orgId, name, role: roleWhenNew }, now);
  if (made !== undefined) return { id: made, name, role: roleWhenNew, created: true };
  const existing = await namedLike(db, orgId, name).executeTakeFirstOrThrow();
  if (existing.name !== name)
    throw new Error(`The account '${existing.name}' has this name in another case: choose another name`);
  if (role !== undefined && role !== existing.role) {
    throw new Error(`Account '${name}' has the role '${existing.role}', not '${role}'`);
  }
  return { id: existing.id, name, role: existing.role, created: false };
}

export async function findServiceAccount(
  db: Database,
  orgId: string,
  name: string,
): Promise<ServiceAccount | undefined> {
  const row = await accountsOf(db, orgId).where("account.name", "=", name).executeTakeFirst();
  return row && asAccount(row);
}

/** @throws NotFound */
export async function requireServiceAccount(
  db: Database,
  org: Organization,
  name: string,
): Promise<ServiceAccount> {
  const account = await findServiceAccount(db, org.id, name);
  if (!account) throw new NotFound("service_account.not_found", "Service account not found");
  return account;
}

/** Sorted by name; optionally only those that one account created. */
export async function listServiceAccounts(
  db: Database,
  orgId: string,
  createdBy?: string,
): Promise<ServiceAccount[]> {
  let accounts = accountsOf(db, orgId);
  if (createdBy !== undefined) accounts = accounts.where("account.created_by_id", "=", createdBy);
  return (await accounts.orderBy("account.name").execute()).map(asAccount);
}

function accountsOf(db: Database, orgId: string) {
  return db
    .selectFrom("service_accounts as account")
    .leftJoin("service_accounts as creator", "creator.id", "account.created_by_id")
    .select(["account.id", "account.name", "account.role", "account.description", "account.created_at"])
    .select(["creator.id as creator_id", "creator.name as creator_name"])
    .where("account.org_id", "=", orgId)
    .where("account.deleted_at", "is", null)
    .where("account.person_id", "is", null);
}

/** The creator is null if it was deleted. */
function asAccount({
  created_at: createdAt,
  creator_id: id,
  creator_name: name,
  ...account
}: InferResult<ReturnType<typeof accountsOf>>[number]) {
  return { ...account, createdAt, creator: id === null || name === null ? null : { id, name } };
}

/** Absent fields stay. */
export async function updateServiceAccount(
  db: Database,
  id: string,
  { role, description }: { role?: Role | undefined; description?: string | null | undefined },
): Promise<void> {
  if (role === undefined && description === undefined) return;
  await db.updateTable("service_accounts").set({ role, description }).where("id", "=", id).execute();
}

/**
 * Deletes an account and returns the ids of the keys that it revokes. Its records and the accounts it created stay.
 * Its open invitations end.
 */
export async function deleteServiceAccount(db: Database, id: string, now: number): Promise<string[]> {
  const revoked = await db
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where("service_account_id", "=", id)
    .where(notRevoked(now))
    .returning("id")
    .execute();
  // A later account may reuse this row, but must not inherit its invitations, or rights over the accounts it created.
  await db
    .updateTable("invitations")
    .set({ revoked_at: now })
    .where("created_by_id", "=", id)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
  await db
    .updateTable("service_accounts")
    .set({ created_by_id: null })
    .where("created_by_id", "=", id)
    .execute();
  await db.updateTable("service_accounts").set({ deleted_at: now }).where("id", "=", id).execute();
  return revoked.map((key) => key.id).sort();
}

/** Whether the role of a person's account has yet to follow a change that SCIM sent. */
export function isPending() {
  const { exists } = expressionBuilder<Tables & { account: Tables["service_accounts"] }, "account">();
  return exists((eb) =>
    eb
      .selectFrom("scim_resources as user")
      .select("user.id")
      .whereRef("user.person_id", "=", "account.person_id")
      .whereRef("user.org_id", "=", "account.org_id")
      .where("user.pending", "=", 1),
  );
}

/**
 * Whether another person who may sign in, or another account with a working key, is an admin. People whose roles are
 * being changed do not count.
 */
export async function hasAnotherAdmin(
  db: Database,
  orgId: string,
  accountId: string,
  now: number,
): Promise<boolean> {
  const another = await db
    .selectFrom("service_accounts as account")
    .innerJoin("api_keys", "api_keys.service_account_id", "account.id")
    .leftJoin("people", "people.id", "account.person_id")
    .select("account.id")
    .where("account.org_id", "=", orgId)
    .where("account.id", "!=", accountId)
    .where("account.role", "=", "admin")
    // An admin of some flows or environments can create no admin.
    .where("api_keys.scope", "is", null)
    .where("account.deleted_at", "is", null)
    .where("people.ended_at", "is", null)
    .where(({ not }) => not(isPending()))
    .where(working(now))
    .executeTakeFirst();
  return another !== undefined;
}

/**
 * Refuses to remove the last admin, because no other account could create an admin.
 *
 * @throws Invalid
 */
export async function requireAnotherAdmin(
  db: Database,
  orgId: string,
  account: ServiceAccount,
  now: number,
): Promise<void> {
  if (await hasAnotherAdmin(db, orgId, account.id, now)) return;
  throw new Invalid(
    "service_account.last_admin",
    `Service account '${account.name}' is the last admin with a working API key: create another one first`,
  );
}
