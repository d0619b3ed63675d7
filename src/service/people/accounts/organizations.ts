import type { Organization } from "../../kernel/caller.ts";
import { newId } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";

export async function findOrganization(db: Database, name: string): Promise<Organization | undefined> {
  return db.selectFrom("organizations").select(["id", "name"]).where("name", "=", name).executeTakeFirst();
}

export async function listOrganizations(db: Database): Promise<Organization[]> {
  return db.selectFrom("organizations").select(["id", "name"]).orderBy("created_at").execute();
}

/** Oldest first. Counts exclude deleted accounts and archived flows and environments. */
export async function countedOrganizations(db: Database) {
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
 * Returns the id.
 *
 * @throws Error for a name that is invalid or taken
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
  if (!made) throw new Error(`Organization '${name}' already exists`);
  return id;
}

/**
 * The organization of that name, or the only one.
 *
 * @throws Error when none or several match
 */
export async function soleOrganization(db: Database, name?: string): Promise<Organization> {
  const organizations = await listOrganizations(db);
  const matching = organizations.filter((organization) => name === undefined || organization.name === name);
  const [organization, another] = matching;
  if (!organization) throw new Error(`Organization '${name ?? ""}' does not exist`);
  if (another) {
    throw new Error(
      `Several organizations exist. Name one of them: ${organizations.map((each) => each.name).join(", ")}`,
    );
  }
  return organization;
}

/** First path segments that the service uses itself. */
const TAKEN: ReadonlySet<string> = new Set([
  "api",
  "login",
  "ready",
  "health",
  "metrics",
  "assets",
  "invitations",
  "settings",
  "log",
  "logout",
  "scim",
  "share",
]);

/** Characters that need no escaping in a URL, as for flow names. */
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9\-_.~]{0,254}$/;

/** Whether the service uses a name itself, ignoring case. */
export function isTakenName(name: string): boolean {
  return TAKEN.has(name.toLowerCase());
}

/** Checks the name of a new organization. Existing organizations keep theirs. @throws Error for an invalid name */
export function requireOrganizationName(name: string): void {
  if (!NAME.test(name)) {
    throw new Error(
      `'${name}' is not a valid organization name: use 1 to 255 letters, digits and - _ . ~, starting with a letter or a digit`,
    );
  }
  if (isTakenName(name)) {
    throw new Error(
      `'${name}' is not a valid organization name: the service uses the path /${name.toLowerCase()} itself`,
    );
  }
}
