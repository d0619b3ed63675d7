import type { Slice } from "../../kernel/paging.ts";
import { countRows, ROW_COUNT } from "../../store/count-rows.ts";
import { holdsText } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { hasTag } from "../tag-records.ts";

export interface RepoFilter {
  name?: string | undefined;
  provider?: string | undefined;
  /** The external id. Given, the name is ignored. */
  repoId?: string | undefined;
  /** Part of the name. */
  search?: string | undefined;
  /** Each `key:value`, or `key` for any value. */
  tag?: readonly string[] | undefined;
}

/** The repositories of an organization that pass a filter, sorted by name, and how many there are in all. */
export async function listRepos(
  db: Database,
  orgId: string,
  { name, provider, repoId, search, tag = [] }: RepoFilter,
  { limit, offset, sortDirection }: Slice & { sortDirection: "asc" | "desc" },
): Promise<{ total: number; repos: Tables["repos"][] }> {
  let matching = db.selectFrom("repos").where("org_id", "=", orgId);
  if (repoId !== undefined) matching = matching.where("repo_id", "=", repoId);
  else if (name !== undefined) matching = matching.where("name", "=", name);
  if (provider !== undefined) matching = matching.where("provider", "=", provider);
  if (search !== undefined && search !== "") matching = matching.where(holdsText("name", search));
  for (const each of tag) matching = matching.where(hasTag("repo", each));
  const total = await countRows(matching.select(ROW_COUNT));
  const repos = await matching
    .selectAll()
    .orderBy("name", sortDirection)
    .orderBy("id", sortDirection)
    .limit(limit)
    .offset(offset)
    .execute();
  return { total, repos };
}
