import { type PolicyDump, policyDump } from "../../../api/resources/policies.ts";
import { fromWire } from "../../../api/wire-names.ts";
import type { Organization } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import { listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";

export interface PolicyVersion {
  id: string;
  name: string;
  /** Counts from 1. */
  version: number;
  definition: PolicyDump;
}

/** Latest versions, sorted by name. */
export async function attachedPolicies(db: Database, environmentId: string): Promise<PolicyVersion[]> {
  const rows = await latestVersions(db)
    .innerJoin("environment_policies", "environment_policies.policy_id", "policies.id")
    .where("environment_policies.environment_id", "=", environmentId)
    .orderBy("policies.name")
    .execute();
  return rows.map(asVersion);
}

/** The policies that apply to an environment. A logical environment has those of its members. */
export async function policiesFor(
  db: Database,
  { id, type }: Pick<Tables["environments"], "id" | "type">,
): Promise<PolicyVersion[]> {
  if (type !== "logical") return attachedPolicies(db, id);
  const rows = await latestVersions(db)
    .where("policies.id", "in", (query) =>
      query
        .selectFrom("environment_members")
        .innerJoin(
          "environment_policies",
          "environment_policies.environment_id",
          "environment_members.member_id",
        )
        .select("environment_policies.policy_id")
        .where("environment_members.environment_id", "=", id),
    )
    .orderBy("policies.name")
    .execute();
  return rows.map(asVersion);
}

/** Latest versions in the order of the names, without unknown names. */
export async function policiesNamed(db: Database, orgId: string, names: readonly string[]) {
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return [];
  const rows = await latestVersions(db)
    .where("policies.org_id", "=", orgId)
    .where("policies.name", "in", listed(wanted))
    .execute();
  const found = new Map(rows.map((row) => [row.name, asVersion(row)]));
  return wanted.flatMap((name) => found.get(name) ?? []);
}

/** @throws NotFound for an unknown name */
export async function requirePolicies(db: Database, org: Organization, names: readonly string[]) {
  const found = await policiesNamed(db, org.id, names);
  const known = new Set(found.map(({ name }) => name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownPolicy(org, unknown);
  return found;
}

export function unknownPolicy(org: Organization, name: string) {
  return new NotFound("policy.not_found", `Policy '${name}' does not exist in organization '${org.name}'`);
}

function latestVersions(db: Database) {
  return db
    .selectFrom("policies")
    .innerJoin("policy_versions", (join) =>
      join
        .onRef("policy_versions.policy_id", "=", "policies.id")
        .onRef("policy_versions.version", "=", "policies.version"),
    )
    .select(["policies.id", "policies.name", "policies.version", "policy_versions.definition"]);
}

function asVersion({
  id,
  name,
  version,
  definition,
}: { definition: string } & Omit<PolicyVersion, "definition">): PolicyVersion {
  return { id, name, version, definition: definitionOf(definition) };
}

function definitionOf(column: string): PolicyDump {
  // Written by this service from this type.
  return fromWire(policyDump, JSON.parse(column)) as PolicyDump;
}

interface VersionOfPolicy {
  id: string;
  version: number;
}

/** Versions per statement, because the length of conditions is limited. */
const VERSIONS_PER_QUERY = 100;

/** Definitions in wire names, by policy and version. */
export async function policyDumps(
  db: Database,
  policies: readonly VersionOfPolicy[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, unknown>>> {
  const found = new Map<string, Map<number, unknown>>();
  for (let start = 0; start < policies.length; start += VERSIONS_PER_QUERY) {
    for (const row of await definitionsOf(db, policies.slice(start, start + VERSIONS_PER_QUERY))) {
      const versions = found.get(row.policy_id) ?? new Map<number, unknown>();
      found.set(row.policy_id, versions.set(row.version, JSON.parse(row.definition)));
    }
  }
  return found;
}

function definitionsOf(db: Database, policies: readonly VersionOfPolicy[]) {
  return db
    .selectFrom("policy_versions")
    .select(["policy_id", "version", "definition"])
    .where(({ and, or, eb }) =>
      or(policies.map(({ id, version }) => and([eb("policy_id", "=", id), eb("version", "=", version)]))),
    )
    .execute();
}
