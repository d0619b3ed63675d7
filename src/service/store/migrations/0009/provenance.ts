import { parseExactJson } from "../../../kernel/exact-json.ts";
import { inSlices } from "../../../kernel/slices.ts";
import { listed } from "../../dialect.ts";
import type { Provenance, State } from "./states.ts";
import type { OldDatabase } from "./tables.ts";

/** Where artifacts were built, by fingerprint: one entry for each of their flows, sorted by flow. */
export async function provenanceOf(
  db: OldDatabase,
  orgId: string,
  artifacts: readonly Pick<State, "fingerprint">[],
): Promise<ReadonlyMap<string, readonly Provenance[]>> {
  const fingerprints = new Set(artifacts.map(({ fingerprint }) => fingerprint));
  // What is not known cannot have been built here.
  fingerprints.delete("");
  const rows = await inSlices([...fingerprints], (slice) => latestReports(db, orgId, slice));
  const sorted = rows.sort((a, b) => (a.flow_name < b.flow_name ? -1 : 1));
  const groups = Map.groupBy(sorted, ({ fingerprint }) => fingerprint);
  return new Map([...groups].map(([fingerprint, found]) => [fingerprint, found.map(asProvenance)]));
}

/** The latest report of each artifact in each flow. */
function latestReports(db: OldDatabase, orgId: string, fingerprints: readonly string[]) {
  return db
    .selectFrom((query) =>
      query
        .selectFrom("artifacts")
        .select(({ fn }) => fn.max("sequence").as("sequence"))
        .where("org_id", "=", orgId)
        .where("fingerprint", "in", listed(fingerprints))
        .groupBy(["fingerprint", "flow_id"])
        .as("latest"),
    )
    .innerJoin("artifacts", "artifacts.sequence", "latest.sequence")
    .innerJoin("flows", "flows.id", "artifacts.flow_id")
    .leftJoin("trails", "trails.id", "artifacts.trail_id")
    .select(["artifacts.id", "artifacts.fingerprint", "artifacts.trail_id", "artifacts.template_name"])
    .select(["artifacts.commit_sha", "artifacts.commit_url", "artifacts.details"])
    .select(["flows.name as flow_name", "trails.name as trail_name"])
    .execute();
}

function asProvenance(row: Awaited<ReturnType<typeof latestReports>>[number]): Provenance {
  return {
    artifactId: row.id,
    flowName: row.flow_name,
    trailId: row.trail_id,
    trailName: row.trail_name,
    templateName: row.template_name,
    commitSha: row.commit_sha,
    commitUrl: row.commit_url,
    gitCommitInfo: commitIn(row.details),
  };
}

function commitIn(details: string): Record<string, unknown> | null {
  const value = parseExactJson(details);
  if (typeof value !== "object" || value === null || !("git_commit_info" in value)) return null;
  const commit = value.git_commit_info;
  return typeof commit === "object" && commit !== null ? { ...commit } : null;
}
