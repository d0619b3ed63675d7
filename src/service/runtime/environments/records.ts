import type { ActContext, Organization } from "../../kernel/caller.ts";
import { absent, Forbidden, Invalid } from "../../kernel/errors.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { type EvaluationContext, reevaluate } from "../snapshots/take-snapshot.ts";
import { policyNamesOf, replacePolicies } from "./attached-policies.ts";
import { changeMembers } from "./members.ts";

type Environment = Tables["environments"];

export interface EnvironmentFields {
  name: string;
  type: string;
  /** Empty keeps the existing one. */
  description: string;
  requireProvenance: boolean | undefined;
  /** Names of members. Absent keeps the existing ones. */
  members: readonly string[] | undefined;
  /** Names. Absent keeps the existing ones. */
  policies: readonly string[] | undefined;
  /** Whether the caller may change requirements and restore an archived environment. */
  mayManage: boolean;
}

/** Includes archived environments. */
export async function findEnvironment(db: Database, orgId: string, name: string) {
  return environmentNamed(db, orgId, name).executeTakeFirst();
}

function environmentNamed(db: Database, orgId: string, name: string) {
  return db.selectFrom("environments").selectAll().where("org_id", "=", orgId).where("name", "=", name);
}

/** @throws NotFound for a missing or archived environment */
export async function requireEnvironment(db: Database, org: Organization, name: string) {
  return requireLive(org, name, await findEnvironment(db, org.id, name));
}

/** An environment with its latest snapshot, if any, and its number of policies. @throws NotFound */
export async function requireReportedEnvironment(db: Database, org: Organization, name: string) {
  const found = await db
    .selectFrom("environments")
    .leftJoin("snapshots", "snapshots.id", "environments.latest_snapshot_id")
    .selectAll("environments")
    .select(["snapshots.number", "snapshots.artifact_set", "snapshots.conditions"])
    .select("snapshots.state")
    .select((query) =>
      query
        .selectFrom("environment_policies")
        .select(({ fn }) => fn.countAll<number>().as("policies"))
        .whereRef("environment_policies.environment_id", "=", "environments.id")
        .as("policies"),
    )
    .where("environments.org_id", "=", org.id)
    .where("environments.name", "=", name)
    .executeTakeFirst();
  const { number, artifact_set, conditions, state, policies, ...environment } = requireLive(org, name, found);
  const hasLatest = number !== null && artifact_set !== null && conditions !== null;
  const latest = hasLatest ? { number, artifact_set, conditions, state } : undefined;
  return { environment, latest, policies: Number(policies) };
}

function requireLive<Found extends Environment>(
  org: Organization,
  name: string,
  environment: Found | undefined,
): Found {
  if (!environment) throw absent("environment", "not_found", name, org.name);
  if (environment.archived_at !== null) throw absent("environment", "archived", name, org.name);
  return environment;
}

/** The name of an archived environment whose name is taken. */
export function nameWhenReplaced({ id, name }: Pick<Environment, "id" | "name">): string {
  return `${name}.archived-${id}`;
}

/**
 * Creates or updates an environment, or restores an archived one of the same type. An archived one of another type is
 * renamed.
 *
 * @throws Invalid, Forbidden or NotFound
 */
export async function putEnvironment(
  db: Database,
  org: Organization,
  { name, type, description, requireProvenance, ...holding }: EnvironmentFields,
  evaluation: EvaluationContext,
): Promise<void> {
  const { now } = evaluation.by;
  const { members, policies, mayManage } = holding;
  const insert = () => insertEnvironment(db, { org_id: org.id, name, type, now });
  const stored = async () => environmentNamed(db, org.id, name).executeTakeFirstOrThrow();
  const created = await insert();
  let environment = created ?? (await stored());
  if (environment.type !== type && environment.archived_at !== null && mayManage) {
    await setName(db, environment.id, { name: nameWhenReplaced(environment), now });
    environment = (await insert()) ?? (await stored());
  }
  if (environment.type !== type) {
    const reason = "the type of an environment cannot be changed";
    throw wrongType(`Environment '${name}' has the type '${environment.type}': ${reason}`);
  }
  if (environment.archived_at !== null && !mayManage) throw absent("environment", "archived", name, org.name);
  if (created === undefined && !mayManage)
    await refuseOtherRules(db, environment, { requireProvenance, members });
  const fields = {
    ...(description === "" ? {} : { description }),
    ...(requireProvenance === undefined ? {} : { require_provenance: Number(requireProvenance) }),
    archived_at: null,
    last_modified_at: now,
  };
  await db.updateTable("environments").set(fields).where("id", "=", environment.id).execute();
  if (members) await setMembers(db, org, environment, members, evaluation);
  if (policies && (await hasOtherPolicies(db, environment, policies))) {
    if (!mayManage) throw mayNot("attach policy");
    await setPolicies(db, org, environment, policies, evaluation);
  }
}

function mayNot(what: string): Forbidden {
  return new Forbidden("access.denied", `User does not have permission to ${what}`);
}

/** @throws Forbidden for a change of members or provenance rule */
async function refuseOtherRules(
  db: Database,
  { id, require_provenance }: Environment,
  { requireProvenance, members }: Partial<Pick<EnvironmentFields, "requireProvenance" | "members">>,
): Promise<void> {
  if (requireProvenance !== undefined && Number(requireProvenance) !== require_provenance)
    throw mayNot("change require_provenance");
  if (members && !isSameSet(await memberNamesOf(db, id), members))
    throw mayNot("change included_environments");
}

/** Undefined for a taken name. */
async function insertEnvironment(
  db: Database,
  { org_id, name, type, now }: Pick<Environment, "org_id" | "name" | "type"> & { now: number },
): Promise<Environment | undefined> {
  const initial = { description: "", include_scaling: 0, require_provenance: 0, created_at: now };
  return db
    .insertInto("environments")
    .values({ ...initial, id: newId(), org_id, name, type, last_modified_at: now })
    .onConflict((conflict) => conflict.columns(["org_id", "name"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Absent fields stay. */
export interface EnvironmentChanges {
  /** Empty clears it. */
  description?: string | null | undefined;
  includedEnvironments?: readonly string[] | null | undefined;
  policies?: readonly string[] | null | undefined;
  /** See {@link EnvironmentFields}. */
  mayManage: boolean;
}

/** @throws Forbidden, Invalid or NotFound */
export async function changeEnvironment(
  db: Database,
  org: Organization,
  name: string,
  { description, includedEnvironments, policies, mayManage }: EnvironmentChanges,
  evaluation: EvaluationContext,
): Promise<void> {
  const environment = await requireEnvironment(db, org, name);
  if (!mayManage) {
    await refuseOtherRules(db, environment, { members: includedEnvironments ?? undefined });
    if (policies && (await hasOtherPolicies(db, environment, policies))) throw mayNot("attach policy");
  }
  const fields = {
    ...(typeof description === "string" ? { description } : {}),
    last_modified_at: evaluation.by.now,
  };
  await db.updateTable("environments").set(fields).where("id", "=", environment.id).execute();
  const changed = { ...environment, ...fields };
  if (includedEnvironments) await setMembers(db, org, changed, includedEnvironments, evaluation);
  if (policies) await setPolicies(db, org, changed, policies, evaluation);
}

async function hasOtherPolicies(db: Database, { id }: Environment, policies: readonly string[]) {
  return !isSameSet((await policyNamesOf(db, [id])).get(id) ?? [], policies);
}

function isSameSet(names: readonly string[], wanted: readonly string[]): boolean {
  const all = new Set(wanted);
  return names.length === all.size && names.every((name) => all.has(name));
}

async function setPolicies(
  db: Database,
  org: Organization,
  environment: Environment,
  policies: readonly string[],
  evaluation: EvaluationContext,
): Promise<void> {
  await replacePolicies(db, org, environment, policies);
  await reevaluate(db, { org, environmentId: environment.id, ...evaluation });
}

/** @throws NotFound, or Invalid for a taken name */
export async function renameEnvironment(
  db: Database,
  org: Organization,
  { name, newName }: { name: string; newName: string },
  now: number,
): Promise<void> {
  const { id } = await requireEnvironment(db, org, name);
  const existing = await findEnvironment(db, org.id, newName);
  if (existing && existing.id !== id) {
    throw new Invalid(
      "resource.exists",
      `Environment named '${newName}' already exists for organization '${org.name}'`,
    );
  }
  await setName(db, id, { name: newName, now });
}

async function setName(db: Database, id: string, { name, now }: { name: string; now: number }) {
  await db.updateTable("environments").set({ name, last_modified_at: now }).where("id", "=", id).execute();
}

/** @throws NotFound */
export async function archiveEnvironment(db: Database, org: Organization, name: string, now: number) {
  const { id } = await requireEnvironment(db, org, name);
  await db
    .updateTable("environments")
    .set({ archived_at: now, last_modified_at: now })
    .where("id", "=", id)
    .execute();
}

/** Adds a physical environment to a logical one. @throws Invalid or NotFound */
export async function joinEnvironment(
  db: Database,
  org: Organization,
  { name, physical }: { name: string; physical: string },
  by: ActContext,
): Promise<void> {
  const environment = await requireEnvironment(db, org, name);
  const member = await requireEnvironment(db, org, physical);
  if (environment.type !== "logical" || member.type === "logical") throw wrongType(ONLY_PHYSICAL);
  await changeMembers(db, environment, by, async () => {
    await db
      .insertInto("environment_members")
      .values({ environment_id: environment.id, member_id: member.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  await touchEnvironment(db, environment.id, by.now);
}

export async function touchEnvironment(db: Database, id: string, now: number): Promise<void> {
  await db.updateTable("environments").set({ last_modified_at: now }).where("id", "=", id).execute();
}

/** The environment itself, or the members of a logical one. */
export async function physicalEnvironments(db: Database, environment: Environment): Promise<Environment[]> {
  if (environment.type !== "logical") return [environment];
  return db
    .selectFrom("environment_members")
    .innerJoin("environments", "environments.id", "environment_members.member_id")
    .selectAll("environments")
    .where("environment_members.environment_id", "=", environment.id)
    .where("environments.archived_at", "is", null)
    .orderBy("environments.name")
    .execute();
}

/** Sorted; includes archived members. */
export async function memberNamesOf(db: Database, environmentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("environment_members")
    .innerJoin("environments", "environments.id", "environment_members.member_id")
    .select("environments.name")
    .where("environment_members.environment_id", "=", environmentId)
    .orderBy("environments.name")
    .execute();
  return rows.map(({ name }) => name);
}

async function setMembers(
  db: Database,
  org: Organization,
  environment: Environment,
  names: readonly string[],
  { by }: EvaluationContext,
): Promise<void> {
  const replace = () => replaceMembers(db, org, environment, names);
  await changeMembers(db, environment, by, replace);
}

async function replaceMembers(
  db: Database,
  org: Organization,
  { id, type }: Pick<Environment, "id" | "type">,
  names: readonly string[],
): Promise<void> {
  if (names.length > 0 && type !== "logical") {
    throw wrongType("Only logical environments can include other environments");
  }
  const members = new Set<string>();
  for (const name of new Set(names)) {
    const member = await requireEnvironment(db, org, name);
    if (member.type === "logical") throw wrongType(ONLY_PHYSICAL);
    members.add(member.id);
  }
  await db.deleteFrom("environment_members").where("environment_id", "=", id).execute();
  const rows = [...members].map((member) => ({ environment_id: id, member_id: member }));
  if (rows.length > 0) await db.insertInto("environment_members").values(rows).execute();
}

const ONLY_PHYSICAL = "Can only add physical environments to logical environments";

export function wrongType(message: string): Invalid {
  return new Invalid("environment.type_mismatch", message);
}
