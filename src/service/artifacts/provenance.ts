import { inSlices } from "../kernel/slices.ts";
import type { Provenance } from "../running/artifact.ts";
import { jsonNumber } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";
import { latestReportRows } from "./latest-reports.ts";

/** Where an artifact was built, and when its commit was made. */
export interface DatedProvenance extends Provenance {
  /** Unix seconds; null when it is not known. */
  committedAt: number | null;
}

/** Where each of the artifacts was built: one entry for each of its flows, sorted by flow. */
export async function provenanceOf(
  db: Database,
  orgId: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, readonly DatedProvenance[]>> {
  if (fingerprints.length === 0) return new Map();
  const rows = await inSlices(fingerprints, (slice) => reports(db, orgId, slice));
  const found = new Map<string, DatedProvenance[]>();
  for (const row of rows) {
    const flows = found.get(row.fingerprint);
    if (flows) flows.push(asProvenance(row));
    else found.set(row.fingerprint, [asProvenance(row)]);
  }
  for (const flows of found.values()) flows.sort((a, b) => (a.flowName < b.flowName ? -1 : 1));
  return found;
}

function reports(db: Database, orgId: string, fingerprints: readonly string[]) {
  return latestReportRows(db, orgId, fingerprints)
    .select(["artifacts.id", "artifacts.fingerprint", "artifacts.trail_id", "artifacts.template_name"])
    .select(["artifacts.commit_sha", "artifacts.commit_url"])
    .select(jsonNumber("artifacts.details", ["git_commit_info", "timestamp"]).as("committed_at"))
    .select(["flows.name as flow_name", "trails.name as trail_name"])
    .execute();
}

function asProvenance(row: Awaited<ReturnType<typeof reports>>[number]): DatedProvenance {
  return {
    artifactId: row.id,
    flowName: row.flow_name,
    trailId: row.trail_id,
    trailName: row.trail_name,
    templateName: row.template_name,
    commitSha: row.commit_sha,
    commitUrl: row.commit_url,
    committedAt: row.committed_at,
  };
}
