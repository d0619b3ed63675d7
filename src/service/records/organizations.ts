import type { Role } from "../roles.ts";
import { newId } from "../store/ids.ts";
import type { Database } from "../store/tables.ts";

export interface Organization {
  id: string;
  name: string;
}

export async function findOrganization(db: Database, name: string): Promise<Organization | undefined> {
  return db.selectFrom("organizations").select(["id", "name"]).where("name", "=", name).executeTakeFirst();
}

/** The organization that a key belongs to. */
export async function organizationOf(db: Database, id: string): Promise<Organization> {
  return db.selectFrom("organizations").select(["id", "name"]).where("id", "=", id).executeTakeFirstOrThrow();
}

export async function listOrganizations(db: Database): Promise<Organization[]> {
  return db.selectFrom("organizations").select(["id", "name"]).orderBy("created_at").execute();
}

/** Makes an organization and returns its id. */
export async function createOrganization(db: Database, name: string, now: number): Promise<string> {
  const id = newId();
  await db.insertInto("organizations").values({ id, name, created_at: now }).execute();
  return id;
}

interface ServiceAccount {
  orgId: string;
  name: string;
  role: Role;
}

/** Makes a service account and returns its id. */
export async function createServiceAccount(
  db: Database,
  { orgId, name, role }: ServiceAccount,
  now: number,
): Promise<string> {
  const id = newId();
  await db
    .insertInto("service_accounts")
    .values({ id, org_id: orgId, name, role, created_at: now })
    .execute();
  return id;
}

/**
 * The organization of that name, or the only one there is.
 *
 * @throws Error when it cannot be told which is meant
 */
export async function soleOrganization(db: Database, name?: string): Promise<Organization> {
  const organizations = await listOrganizations(db);
  const matching = organizations.filter((organization) => name === undefined || organization.name === name);
  const [organization, another] = matching;
  if (!organization) throw new Error(`Organization '${name ?? ""}' does not exist`);
  if (another) {
    throw new Error(`Say which organization: ${organizations.map((each) => each.name).join(", ")}`);
  }
  return organization;
}

/**
 * The id of the service account of that name, which is made when it is new, as a reader unless said otherwise.
 *
 * @throws Error when it exists with another role than the one asked for
 */
export async function requireServiceAccount(
  db: Database,
  { orgId, name, role }: { orgId: string; name: string; role?: Role | undefined },
  now: number,
): Promise<string> {
  const existing = await db
    .selectFrom("service_accounts")
    .select(["id", "role"])
    .where("org_id", "=", orgId)
    .where("name", "=", name)
    .executeTakeFirst();
  if (!existing) return createServiceAccount(db, { orgId, name, role: role ?? "reader" }, now);
  if (role !== undefined && role !== existing.role) {
    throw new Error(`Account '${name}' has the role '${existing.role}', not '${role}'`);
  }
  return existing.id;
}
