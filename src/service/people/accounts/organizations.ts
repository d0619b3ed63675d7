import { requireOrganizationName } from "../../accounts/organization-name.ts";
import type { Organization } from "../../kernel/organization.ts";
import { newId } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";

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

/** An organization with how much it has: accounts that were not deleted, flows and environments that are in use. */
export interface CountedOrganization {
  name: string;
  /** Unix seconds. */
  createdAt: number;
  accounts: number;
  flows: number;
  environments: number;
}

/** All organizations, oldest first, with how much each has. */
export async function countedOrganizations(db: Database): Promise<CountedOrganization[]> {
  const rows = await db
    .selectFrom("organizations")
    .select(["organizations.name", "organizations.created_at as createdAt"])
    .select(({ selectFrom }) => [
      selectFrom("service_accounts")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("service_accounts.org_id", "=", "organizations.id")
        .where("service_accounts.deleted_at", "is", null)
        .as("accounts"),
      selectFrom("flows")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("flows.org_id", "=", "organizations.id")
        .where("flows.archived_at", "is", null)
        .as("flows"),
      selectFrom("environments")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("environments.org_id", "=", "organizations.id")
        .where("environments.archived_at", "is", null)
        .as("environments"),
    ])
    .orderBy("organizations.created_at")
    .orderBy("organizations.name")
    .execute();
  return rows.map(({ accounts, flows, environments, ...organization }) => ({
    ...organization,
    accounts: Number(accounts),
    flows: Number(flows),
    environments: Number(environments),
  }));
}

/**
 * Makes an organization and returns its id.
 *
 * @throws Error when it cannot have that name, or another one has it
 */
export async function createOrganization(db: Database, name: string, now: number): Promise<string> {
  requireOrganizationName(name);
  const id = newId();
  const made = await db
    .insertInto("organizations")
    .values({ id, name, created_at: now })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!made) throw new Error(`There is an organization '${name}' already`);
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
