import type { Database } from "../store/tables.ts";

interface VersionOfPolicy {
  id: string;
  version: number;
}

/** Versions in one statement: they are spelled out, and how long a condition may be is limited. */
const VERSIONS_PER_QUERY = 100;

/** What versions of policies ask for, in the names of the wire, by policy and version. */
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
