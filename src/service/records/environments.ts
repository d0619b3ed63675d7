import { HttpError, notFound } from "../http-error.ts";
import { newId } from "../store/ids.ts";
import type { Database, Tables } from "../store/tables.ts";
import type { Organization } from "./organizations.ts";

export interface EnvironmentFields {
  name: string;
  type: string;
  /** Empty: an existing description stays. */
  description: string;
  includeScaling: boolean | undefined;
  requireProvenance: boolean | undefined;
  /** Names of the environments that a logical one is made of. Absent leaves what is stored. */
  members: readonly string[] | undefined;
}

export async function findEnvironment(db: Database, orgId: string, name: string) {
  return db
    .selectFrom("environments")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** @throws HttpError 404 */
export async function requireEnvironment(
  db: Database,
  org: Organization,
  name: string,
): Promise<Tables["environments"]> {
  const environment = await findEnvironment(db, org.id, name);
  if (!environment) {
    throw notFound(`Environment named '${name}' does not exist for organization '${org.name}'`);
  }
  return environment;
}

/**
 * Creates an environment, or updates an existing one of the same type.
 *
 * @throws HttpError 400 or 404
 */
export async function putEnvironment(
  db: Database,
  org: Organization,
  { name, type, description, includeScaling, requireProvenance, members }: EnvironmentFields,
  now: number,
): Promise<{ created: boolean }> {
  const existing = await findEnvironment(db, org.id, name);
  if (existing && existing.type !== type) {
    throw new HttpError(
      400,
      `Environment '${name}' has the type '${existing.type}': the type of an environment cannot be changed`,
    );
  }
  const memberIds = members && (await memberIdsOf(db, org, type, members));
  const id = existing?.id ?? newId();
  const fields = {
    ...(description === "" ? {} : { description }),
    ...(includeScaling === undefined ? {} : { include_scaling: Number(includeScaling) }),
    ...(requireProvenance === undefined ? {} : { require_provenance: Number(requireProvenance) }),
    last_modified_at: now,
  };
  if (existing) {
    await db.updateTable("environments").set(fields).where("id", "=", id).execute();
  } else {
    const initial = { description: "", include_scaling: 0, require_provenance: 0, last_reported_at: null };
    await db
      .insertInto("environments")
      .values({ ...initial, ...fields, id, org_id: org.id, name, type, created_at: now })
      .execute();
  }
  if (memberIds) await replaceMembers(db, id, memberIds);
  return { created: !existing };
}

async function memberIdsOf(
  db: Database,
  org: Organization,
  type: string,
  names: readonly string[],
): Promise<string[]> {
  if (names.length > 0 && type !== "logical") {
    throw new HttpError(400, "Only logical environments can include other environments");
  }
  const ids = new Set<string>();
  for (const name of names) {
    const member = await requireEnvironment(db, org, name);
    if (member.type === "logical") {
      throw new HttpError(400, "Can only add physical environments to logical environments");
    }
    ids.add(member.id);
  }
  return [...ids];
}

async function replaceMembers(db: Database, id: string, memberIds: readonly string[]): Promise<void> {
  await db.deleteFrom("environment_members").where("environment_id", "=", id).execute();
  const rows = memberIds.map((member) => ({ environment_id: id, member_id: member }));
  if (rows.length > 0) await db.insertInto("environment_members").values(rows).execute();
}
