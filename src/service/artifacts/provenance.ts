import type { RunningNotification } from "../../api/resources/notification-payload.ts";
import { verdictOfReport } from "../compliance-status/report-verdict.ts";
import type { EnvironmentContent } from "../events/projections/raise.ts";
import { latestReports } from "../evidence/compliance/latest-reports.ts";
import type { Links } from "../kernel/links.ts";
import type { Organization } from "../kernel/organization.ts";
import { inSlices } from "../kernel/slices.ts";
import { commitOfReport } from "../notifications/commit.ts";
import type { Database } from "../store/tables.ts";

/** Where an artifact comes from, as messages tell it. */
export interface ToldProvenance {
  provenance: NonNullable<RunningNotification["provenance"]>;
  commit: EnvironmentContent["commit"];
}

/** Where artifacts come from, by fingerprint: of several flows, the one that it was reported to last. */
export async function provenanceOf(
  db: Database,
  { org, links }: { org: Organization; links: Links },
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, ToldProvenance>> {
  const rows = await inSlices(fingerprints, (slice) =>
    latestReports(db, org.id, slice)
      .innerJoin("flows", "flows.id", "artifacts.flow_id")
      .select(["artifacts.sequence", "artifacts.id", "artifacts.fingerprint", "artifacts.filename"])
      .select(["artifacts.template_name", "artifacts.commit_sha", "artifacts.is_compliant"])
      .select(["artifacts.compliance_state", "artifacts.compliance_reason", "artifacts.details"])
      .select(["artifacts.commit_url", "artifacts.build_url", "flows.name as flow", "flows.template"])
      .execute(),
  );
  rows.sort((a, b) => a.sequence - b.sequence);
  return new Map(
    rows.map((row): [string, ToldProvenance] => {
      const { flow, fingerprint, commit_sha, commit_url, build_url } = row;
      const isCompliant = verdictOfReport(row, row.template).state === "COMPLIANT";
      const provenance = {
        flow,
        status: isCompliant ? ("compliant" as const) : ("non-compliant" as const),
        commit: commit_sha,
        commit_url: commit_url || null,
        html_url: links.artifact(org.name, flow, fingerprint, row.id),
        api_url: links.apiArtifact(org.name, flow, fingerprint),
        build_url: build_url || null,
      };
      return [fingerprint, { provenance, commit: commitOfReport(row) }];
    }),
  );
}
