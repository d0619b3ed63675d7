import { NotFound } from "../kernel/errors.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

/** Our ids of all the repositories of these names. @throws NotFound */
export async function repoIdsOf(db: Database, orgId: string, names: readonly string[]): Promise<string[]> {
  const repos = await db
    .selectFrom("repos")
    .select(["id", "name"])
    .where("org_id", "=", orgId)
    .where("name", "in", listed(names))
    .execute();
  const unknown = names.find((name) => !repos.some((repo) => repo.name === name));
  if (unknown !== undefined) throw new NotFound(`Repo '${unknown}' not found`);
  return repos.map(({ id }) => id);
}
