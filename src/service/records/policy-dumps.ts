import type { Database } from "../store/tables.ts";

/** What versions of policies ask for, in the names of the wire, by policy and version. */
export async function policyDumps(
  db: Database,
  policies: readonly { id: string; version: number }[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, unknown>>> {
  if (policies.length === 0) return new Map();
  const rows = await db
    .selectFrom("policy_versions")
    .select(["policy_id", "version", "definition"])
    .where(({ and, or, eb }) =>
      or(policies.map(({ id, version }) => and([eb("policy_id", "=", id), eb("version", "=", version)]))),
    )
    .execute();
  const groups = Map.groupBy(rows, ({ policy_id }) => policy_id);
  return new Map(
    [...groups].map(([id, versions]) => [
      id,
      new Map(
        versions.map(({ version, definition }): [number, unknown] => [version, JSON.parse(definition)]),
      ),
    ]),
  );
}
