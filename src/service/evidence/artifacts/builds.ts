import type { FilterOf, Slice } from "../../kernel/paging.ts";
import { countRows, listed, ROW_COUNT } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

export interface BuildFilter extends FilterOf<"builds"> {
  orgId: string;
  /** Undefined for all. */
  repoIds?: readonly string[] | undefined;
  /** Unix seconds, inclusive. */
  from: number;
  /** Unix seconds, inclusive. */
  until: number;
}

export async function countBuilds(db: Database, filter: BuildFilter): Promise<number> {
  return countRows(buildsIn(db, filter).select(ROW_COUNT));
}

/** The numbers of the reports, newest first. */
export async function newestBuilds(
  db: Database,
  filter: BuildFilter,
  { limit, offset }: Slice,
): Promise<number[]> {
  const rows = await buildsIn(db, filter)
    .select("sequence")
    .orderBy("created_at", "desc")
    .orderBy("sequence", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ sequence }) => sequence);
}

/** Unix seconds, oldest first. */
export async function timesOfBuilds(db: Database, filter: BuildFilter, limit: number): Promise<number[]> {
  const rows = await buildsIn(db, filter)
    .select("created_at")
    .orderBy("created_at")
    .orderBy("sequence")
    .limit(limit)
    .execute();
  return rows.map(({ created_at }) => created_at);
}

function buildsIn(db: Database, { orgId, repoIds, from, until }: BuildFilter) {
  const builds = db
    .selectFrom("artifacts")
    // Without a parameter, so that both engines use the index of builds.
    .where("is_build", "=", ({ lit }) => lit(1))
    .where("created_at", ">=", from)
    .where("created_at", "<=", until);
  if (repoIds === undefined) return builds.where("org_id", "=", orgId);
  const [repoId, ...others] = repoIds;
  // A repository implies its organization. For only one, its index gives the order.
  return repoId !== undefined && others.length === 0
    ? builds.where("repo_id", "=", repoId)
    : builds.where("repo_id", "in", listed(repoIds));
}
