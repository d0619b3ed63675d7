import type { ExpressionBuilder } from "kysely";
import type { Slice } from "../kernel/paging.ts";
import { listed } from "../store/dialect.ts";
import type { Database, Tables } from "../store/tables.ts";

/** Reports of artifacts with what is shown of them, for the caller to choose among. Newest first. */
function selectReports(db: Database) {
  return db
    .selectFrom("artifacts")
    .innerJoin("flows", "flows.id", "artifacts.flow_id")
    .leftJoin("trails", "trails.id", "artifacts.trail_id")
    .leftJoin("repos", "repos.id", "artifacts.repo_id")
    .selectAll("artifacts")
    .select(["flows.name as flow_name", "flows.template as flow_template"])
    .select(["trails.name as trail_name", "trails.template as trail_template"])
    .select(["repos.repo_id as repo_external_id", "repos.name as repo_name"])
    .select(["repos.url as repo_web_url", "repos.description as repo_description"])
    .select("repos.provider as repo_provider")
    .orderBy("artifacts.sequence", "desc");
}

export type ArtifactRow = Awaited<ReturnType<typeof listReports>>[number];

/** Which reports of artifacts are wanted. */
export interface ReportFilter {
  flowId?: string | undefined;
  trailId?: string | undefined;
  repoId?: string | undefined;
  fingerprint?: string | undefined;
}

/** The reports of artifacts in an organization that pass a filter, newest first. */
export async function listReports(
  db: Database,
  orgId: string,
  { flowId, trailId, repoId, fingerprint }: ReportFilter,
  { limit, offset }: Slice,
) {
  // Only the numbers are read of the reports before the slice, and they stand in the index.
  let wanted = db.selectFrom("artifacts").select("artifacts.sequence");
  // A flow, a trail or a repository tells its organization: then its own index gives them in their order.
  if (flowId === undefined && trailId === undefined && repoId === undefined) {
    wanted = wanted.where("artifacts.org_id", "=", orgId);
  }
  if (flowId !== undefined) wanted = wanted.where("artifacts.flow_id", "=", flowId);
  if (trailId !== undefined) wanted = wanted.where("artifacts.trail_id", "=", trailId);
  if (repoId !== undefined) wanted = wanted.where("artifacts.repo_id", "=", repoId);
  if (fingerprint !== undefined) wanted = wanted.where("artifacts.fingerprint", "=", fingerprint);
  const places = await wanted.orderBy("artifacts.sequence", "desc").limit(limit).offset(offset).execute();
  if (places.length === 0) return [];
  const sequences = places.map(({ sequence }) => sequence);
  return selectReports(db).where("artifacts.sequence", "in", listed(sequences)).execute();
}

/** Every report of an artifact to a trail, oldest first. */
export async function reportsOfTrail(db: Database, orgId: string, trailId: string): Promise<ArtifactRow[]> {
  const reports: ArtifactRow[] = [];
  for (;;) {
    const slice = { limit: REPORTS_PER_QUERY, offset: reports.length };
    const more = await listReports(db, orgId, { trailId }, slice);
    reports.push(...more);
    if (more.length < REPORTS_PER_QUERY) return reports.reverse();
  }
}

/** Values in one statement; SQLite allows 32,766. */
const REPORTS_PER_QUERY = 5_000;

/** The reports in a flow of artifacts built from a commit, which may be given by its start. */
export async function reportsOfCommit(
  db: Database,
  { flowId, trailId, commit }: { flowId: string; trailId?: string | undefined; commit: string },
  limit: number,
): Promise<ArtifactRow[]> {
  let query = selectReports(db).where("artifacts.flow_id", "=", flowId);
  if (trailId !== undefined) query = query.where("artifacts.trail_id", "=", trailId);
  return query.where(startsWith("artifacts.commit_sha", commit)).limit(limit).execute();
}

/** The reports in an organization whose fingerprint or commit starts with a value. */
export async function reportsOfSha(
  db: Database,
  orgId: string,
  { column, prefix }: { column: "fingerprint" | "commit_sha"; prefix: string },
  limit: number,
): Promise<ArtifactRow[]> {
  return selectReports(db)
    .where("artifacts.org_id", "=", orgId)
    .where(startsWith(`artifacts.${column}`, prefix))
    .limit(limit)
    .execute();
}

/** The distinct fingerprints or commits in an organization that start with a value, in order. */
export async function shasWithPrefix(
  db: Database,
  orgId: string,
  { column, prefix }: { column: "fingerprint" | "commit_sha"; prefix: string },
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("artifacts")
    .select(`artifacts.${column} as sha`)
    .distinct()
    .where("artifacts.org_id", "=", orgId)
    .where(startsWith(`artifacts.${column}`, prefix))
    .orderBy("sha")
    .limit(limit)
    .execute();
  return rows.flatMap(({ sha }) => sha ?? []);
}

type ShaColumn = "artifacts.fingerprint" | "artifacts.commit_sha";

/** In hex, nothing that starts with a prefix comes after the prefix and a `g`. An index serves the range. */
function startsWith(column: ShaColumn, prefix: string) {
  return ({ and, eb }: ExpressionBuilder<Tables, "artifacts">) =>
    and([eb(column, ">=", prefix), eb(column, "<", `${prefix}g`)]);
}
