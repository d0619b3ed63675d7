import type { ExpressionBuilder } from "kysely";
import type { FilterOf, Slice } from "../../kernel/paging.ts";
import { isAmong, listedNumbers } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";

/** Newest first. */
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
    .select(["repos.provider as repo_provider", "repos.namespace_path", "repos.additional_info"])
    .orderBy("artifacts.sequence", "desc");
}

export type ArtifactRow = Awaited<ReturnType<typeof reportsAt>>[number];

export interface ReportFilter extends FilterOf<"artifacts"> {
  flowId?: string | undefined;
  flowIds?: readonly string[] | undefined;
  trailId?: string | undefined;
  repoId?: string | undefined;
  fingerprint?: string | undefined;
}

export async function listReports(
  db: Database,
  orgId: string,
  filter: ReportFilter,
  slice: Slice,
): Promise<ArtifactRow[]> {
  return reportsAt(db, await placesOfReports(db, orgId, filter, slice));
}

async function placesOfReports(
  db: Database,
  orgId: string,
  { flowIds, ...filter }: ReportFilter,
  { limit, offset }: Slice,
): Promise<number[]> {
  if (flowIds === undefined) return placesIn(db, orgId, filter, { limit, offset });
  if (filter.flowId !== undefined) {
    return flowIds.includes(filter.flowId) ? placesIn(db, orgId, filter, { limit, offset }) : [];
  }
  // Reads the newest reports of each flow from an index, then selects the newest of these.
  let newest: number[] = [];
  for (const flowId of flowIds) {
    const ofFlow = await placesIn(db, orgId, { ...filter, flowId }, { limit: offset + limit, offset: 0 });
    newest = [...newest, ...ofFlow].sort((a, b) => b - a).slice(0, offset + limit);
  }
  return newest.slice(offset);
}

async function placesIn(
  db: Database,
  orgId: string,
  { flowId, trailId, repoId, fingerprint }: Omit<ReportFilter, "flowIds">,
  { limit, offset }: Slice,
): Promise<number[]> {
  // Only the numbers of skipped reports are read, which are in the index.
  let wanted = db.selectFrom("artifacts").select("artifacts.sequence");
  // A flow, trail or repository implies its organization. Without that condition, its own index gives the order.
  if (flowId === undefined && trailId === undefined && repoId === undefined) {
    wanted = wanted.where("artifacts.org_id", "=", orgId);
  }
  if (flowId !== undefined) wanted = wanted.where("artifacts.flow_id", "=", flowId);
  if (trailId !== undefined) wanted = wanted.where("artifacts.trail_id", "=", trailId);
  if (repoId !== undefined) wanted = wanted.where("artifacts.repo_id", "=", repoId);
  if (fingerprint !== undefined) wanted = wanted.where("artifacts.fingerprint", "=", fingerprint);
  const places = await wanted.orderBy("artifacts.sequence", "desc").limit(limit).offset(offset).execute();
  return places.map(({ sequence }) => sequence);
}

/** Newest first. */
export async function reportsAt(db: Database, sequences: readonly number[]) {
  if (sequences.length === 0) return [];
  return selectReports(db).where("artifacts.sequence", "in", listedNumbers(sequences)).execute();
}

/** Oldest first. */
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

/** The commit may be a prefix. */
export async function reportsOfCommit(
  db: Database,
  { flowId, trailId, commit }: { flowId: string; trailId?: string | undefined; commit: string },
  limit: number,
): Promise<ArtifactRow[]> {
  let query = selectReports(db).where("artifacts.flow_id", "=", flowId);
  if (trailId !== undefined) query = query.where("artifacts.trail_id", "=", trailId);
  return query.where(startsWith("artifacts.commit_sha", commit)).limit(limit).execute();
}

interface ShaFilter {
  column: "fingerprint" | "commit_sha";
  prefix: string;
  flowIds?: readonly string[] | undefined;
}

export async function reportsOfSha(
  db: Database,
  orgId: string,
  { column, prefix, flowIds }: ShaFilter,
  limit: number,
): Promise<ArtifactRow[]> {
  return selectReports(db)
    .where("artifacts.org_id", "=", orgId)
    .where(startsWith(`artifacts.${column}`, prefix))
    .where(isAmong("artifacts.flow_id", flowIds))
    .limit(limit)
    .execute();
}

/** Distinct values, sorted. */
export async function shasWithPrefix(
  db: Database,
  orgId: string,
  { column, prefix, flowIds }: ShaFilter,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("artifacts")
    .select(`artifacts.${column} as sha`)
    .distinct()
    .where("artifacts.org_id", "=", orgId)
    .where(startsWith(`artifacts.${column}`, prefix))
    .where(isAmong("artifacts.flow_id", flowIds))
    .orderBy("sha")
    .limit(limit)
    .execute();
  return rows.flatMap(({ sha }) => sha ?? []);
}

type ShaColumn = "artifacts.fingerprint" | "artifacts.commit_sha";

/** Condition for a prefix, as a range that can use an index. Hex digits sort before `g`. */
function startsWith(column: ShaColumn, prefix: string) {
  return ({ and, eb }: ExpressionBuilder<Tables, "artifacts">) =>
    and([eb(column, ">=", prefix), eb(column, "<", `${prefix}g`)]);
}
