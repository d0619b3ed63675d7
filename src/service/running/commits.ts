import { fieldsOf } from "../kernel/json-column.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

/** What is known of the commits that artifacts were built from, by their ids, in the names of the wire. */
export async function commitsOf(
  db: Database,
  artifactIds: readonly string[],
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  if (artifactIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("artifacts")
    .select(["id", "details"])
    .where("id", "in", listed([...new Set(artifactIds)]))
    .execute();
  return new Map(
    rows.flatMap(({ id, details }) => {
      const commit = fieldsOf(details)["git_commit_info"];
      return typeof commit === "object" && commit !== null ? [[id, { ...commit }]] : [];
    }),
  );
}
