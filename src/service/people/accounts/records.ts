import { Invalid, NotFound } from "../../kernel/errors.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { Role } from "../../kernel/roles.ts";
import { isSameText } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { notRevoked, working } from "./keys.ts";

export interface ServiceAccount {
  id: string;
  name: string;
  role: string;
  description: string | null;
  /** The account that made it, while that one exists. */
  creator: { id: string; name: string } | null;
  createdAt: number;
}

export interface NewServiceAccount {
  orgId: string;
  name: string;
  role: Role;
  description?: string | null | undefined;
  /** The id of the account that makes it. */
  createdBy?: string | undefined;
}

/** Makes a service account, of which there is none of that name, and returns its id. */
export async function createServiceAccount(
  db: Database,
  account: NewServiceAccount,
  now: number,
): Promise<string> {
  const id = await insertServiceAccount(db, account, now);
  if (id === undefined) throw new Error(`There is an account '${account.name}' already`);
  return id;
}

/** Makes a service account and returns its id. Undefined when there is one of that name, in any letter case. */
export async function insertServiceAccount(
  db: Database,
  { orgId, name, role, description = null, createdBy }: NewServiceAccount,
  now: number,
): Promise<string | undefined> {
  const fields = { role, description, created_by_id: createdBy ?? null, created_at: now };
  const holder = await namedLike(db, orgId, name).executeTakeFirst();
  if (holder !== undefined) return undefined;
  const made = await db
    .insertInto("service_accounts")
    .values({ ...fields, id: newId(), org_id: orgId, name })
    // A deleted account leaves its row, which its revoked keys belong to. The name is free for a new one.
    .onConflict((conflict) =>
      conflict
        .columns(["org_id", "name"])
        .doUpdateSet({ ...fields, deleted_at: null })
        .where("service_accounts.deleted_at", "is not", null),
    )
    .returning("id")
    .executeTakeFirst();
  return made?.id;
}

/** The accounts of a name, in any letter case. */
function namedLike(db: Database, orgId: string, name: string) {
  return accountsOf(db, orgId).where(isSameText("account.name", name));
}

/**
 * The service account of that name, which is made when it is new, as a reader unless said otherwise.
 *
 * @throws Error when it exists with another role than the one asked for
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
    throw new Error(`The account '${existing.name}' has the same name in other letters`);
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
  if (!account) throw new NotFound("Service account not found");
  return account;
}

/** The service accounts of an organization by name: all, or those that one of them made. */
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
    .where("account.deleted_at", "is", null);
}

function asAccount(row: {
  id: string;
  name: string;
  role: string;
  description: string | null;
  created_at: number;
  creator_id: string | null;
  creator_name: string | null;
}): ServiceAccount {
  const { id, name, role, description, creator_id, creator_name } = row;
  const creator =
    creator_id === null || creator_name === null ? null : { id: creator_id, name: creator_name };
  return { id, name, role, description, creator, createdAt: row.created_at };
}

/** Changes the fields that are given. */
export async function updateServiceAccount(
  db: Database,
  id: string,
  { role, description }: { role?: Role | undefined; description?: string | null | undefined },
): Promise<void> {
  const fields = {
    ...(role === undefined ? {} : { role }),
    ...(description === undefined ? {} : { description }),
  };
  if (Object.keys(fields).length === 0) return;
  await db.updateTable("service_accounts").set(fields).where("id", "=", id).execute();
}

/**
 * Deletes an account and revokes its keys, whose ids it returns. What it recorded stays, and so do the accounts that it
 * made.
 */
export async function deleteServiceAccount(db: Database, id: string, now: number): Promise<string[]> {
  const revoked = await db
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where("service_account_id", "=", id)
    .where(notRevoked(now))
    .returning("id")
    .execute();
  // Another account may get the name and with it the row, but not the rights over what this one made.
  await db
    .updateTable("service_accounts")
    .set({ created_by_id: null })
    .where("created_by_id", "=", id)
    .execute();
  await db.updateTable("service_accounts").set({ deleted_at: now }).where("id", "=", id).execute();
  return revoked.map((key) => key.id).sort();
}

/**
 * Refuses what would leave an organization without an admin account that has a working key: nobody could ever
 * make another one from outside.
 *
 * @throws Invalid
 */
export async function requireAnotherAdmin(
  db: Database,
  orgId: string,
  account: ServiceAccount,
  now: number,
): Promise<void> {
  const another = await db
    .selectFrom("service_accounts as account")
    .innerJoin("api_keys", "api_keys.service_account_id", "account.id")
    .select("account.id")
    .where("account.org_id", "=", orgId)
    .where("account.id", "!=", account.id)
    .where("account.role", "=", "admin")
    .where("account.deleted_at", "is", null)
    .where(working(now))
    .executeTakeFirst();
  if (another) return;
  throw new Invalid(
    `Service account '${account.name}' is the last admin with a working API key: make another one first`,
  );
}
