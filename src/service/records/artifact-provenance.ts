import type { Database } from "../store/tables.ts";
import { fieldsOf } from "./json-column.ts";

/** Where an artifact was built, as its latest report in a flow says. */
export interface Provenance {
  artifactId: string;
  flowName: string;
  trailId: string | null;
  trailName: string | null;
  templateName: string | null;
  commitSha: string | null;
  commitUrl: string;
  /** In the names of the wire. */
  gitCommitInfo: Record<string, unknown> | null;
}

/** Fingerprints in one statement; SQLite allows 32,766 values in one. */
const FINGERPRINTS_PER_QUERY = 30_000;

/** Where each of the artifacts was built: one entry for each of its flows, sorted by flow. */
export async function provenanceOf(
  db: Database,
  orgId: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, readonly Provenance[]>> {
  const found = new Map<string, Map<string, Provenance>>();
  for (let start = 0; start < fingerprints.length; start += FINGERPRINTS_PER_QUERY) {
    const rows = await reports(db, orgId, fingerprints.slice(start, start + FINGERPRINTS_PER_QUERY));
    for (const row of rows) {
      const flows = found.get(row.fingerprint) ?? new Map<string, Provenance>();
      // Later reports come later and take the place of earlier ones.
      found.set(row.fingerprint, flows.set(row.flow_name, asProvenance(row)));
    }
  }
  return new Map(
    [...found].map(([fingerprint, flows]) => [
      fingerprint,
      [...flows.values()].sort((a, b) => (a.flowName < b.flowName ? -1 : 1)),
    ]),
  );
}

function reports(db: Database, orgId: string, fingerprints: readonly string[]) {
  return db
    .selectFrom("artifacts")
    .innerJoin("flows", "flows.id", "artifacts.flow_id")
    .leftJoin("trails", "trails.id", "artifacts.trail_id")
    .select(["artifacts.id", "artifacts.fingerprint", "artifacts.trail_id", "artifacts.template_name"])
    .select(["artifacts.commit_sha", "artifacts.commit_url", "artifacts.details"])
    .select(["flows.name as flow_name", "trails.name as trail_name"])
    .where("artifacts.org_id", "=", orgId)
    .where("artifacts.fingerprint", "in", fingerprints)
    .orderBy("artifacts.sequence")
    .execute();
}

function asProvenance(row: Awaited<ReturnType<typeof reports>>[number]): Provenance {
  const commit = fieldsOf(row.details)["git_commit_info"];
  return {
    artifactId: row.id,
    flowName: row.flow_name,
    trailId: row.trail_id,
    trailName: row.trail_name,
    templateName: row.template_name,
    commitSha: row.commit_sha,
    commitUrl: row.commit_url,
    gitCommitInfo: typeof commit === "object" && commit !== null ? { ...commit } : null,
  };
}
