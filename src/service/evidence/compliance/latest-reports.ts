import type { ArtifactFact } from "../../judging/compliance/evaluate.ts";
import type { Verdict } from "../../judging/compliance/trail-verdict.ts";
import { inSlices } from "../../kernel/slices.ts";
import { firstCharacter, listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { artifactFact, verdictOfReport } from "./facts.ts";
import { latestAttestationsAbout } from "./latest.ts";

export interface Origin {
  id: string;
  fingerprint: string;
  flow: { id: string };
  trail: { id: string } | null;
  templateName: string | null;
  commitSha: string | null;
}

export interface FlowReport extends ArtifactFact {
  flow: {
    id: string;
    name: string;
    template: string;
    /** Whether its template is a list of names (the old kind). */
    isLegacy: boolean;
  };
  /** Number of the artifact's first report to the flow. */
  firstSequence: number;
  trail: { id: string; name: string; template: string } | null;
  verdict: Verdict;
}

/** The latest report of each artifact in each flow. Grouped in the index, because sorting would read all reports. */
export function latestReports(db: Database, orgId: string, fingerprints: readonly string[]) {
  return db
    .selectFrom((query) =>
      query
        .selectFrom("artifacts")
        .select(({ fn }) => [fn.max("sequence").as("sequence"), fn.min("sequence").as("first_sequence")])
        .where("org_id", "=", orgId)
        .where("fingerprint", "in", listed(fingerprints))
        .groupBy(["fingerprint", "flow_id"])
        .as("latest"),
    )
    .innerJoin("artifacts", "artifacts.sequence", "latest.sequence");
}

export async function latestReportsOf(db: Database, orgId: string, fingerprints: readonly string[]) {
  return inSlices(fingerprints, (slice) => someReports(db, orgId, slice));
}

async function someReports(db: Database, orgId: string, fingerprints: readonly string[]) {
  const rows = await latestReports(db, orgId, fingerprints)
    .innerJoin("flows", "flows.id", "artifacts.flow_id")
    .leftJoin("trails", "trails.id", "artifacts.trail_id")
    .select(["artifacts.sequence", "artifacts.id", "artifacts.fingerprint", "artifacts.filename"])
    .select(["artifacts.template_name", "artifacts.commit_sha", "artifacts.is_compliant"])
    .select(["artifacts.compliance_state", "artifacts.compliance_reason"])
    .select(["flows.id as flow_id", "flows.name as flow_name", "flows.template as flow_template"])
    .select(["trails.id as trail_id", "trails.name as trail_name", "trails.template as trail_template"])
    .select("latest.first_sequence")
    // Reads only one character, because the text may be long and is repeated for each report.
    .select(firstCharacter("flows.template_source").as("template_start"))
    .execute();
  return rows.map((row) => ({
    ...artifactFact(row),
    flow: {
      id: row.flow_id,
      name: row.flow_name,
      template: row.flow_template,
      isLegacy: row.template_start === "[",
    },
    firstSequence: row.first_sequence,
    trail:
      row.trail_id !== null && row.trail_name !== null && row.trail_template !== null
        ? { id: row.trail_id, name: row.trail_name, template: row.trail_template }
        : null,
    verdict: verdictOfReport(row, row.trail_template ?? row.flow_template),
  }));
}

export function latestAttestationsOfReports(db: Database, reports: readonly FlowReport[]) {
  return latestAttestationsAbout(
    db,
    reports.map(({ sequence, trail }) => ({ sequence, trailId: trail?.id ?? null })),
  );
}

export async function latestOriginsOf(db: Database, orgId: string, fingerprints: readonly string[]) {
  return inSlices(fingerprints, async (slice) => {
    const rows = await latestReports(db, orgId, slice)
      .select(["artifacts.id", "artifacts.fingerprint", "artifacts.flow_id", "artifacts.trail_id"])
      .select(["artifacts.template_name", "artifacts.commit_sha"])
      .execute();
    return rows.map(({ id, fingerprint, flow_id, trail_id, template_name, commit_sha }) => ({
      id,
      fingerprint,
      flow: { id: flow_id },
      trail: trail_id === null ? null : { id: trail_id },
      templateName: template_name,
      commitSha: commit_sha,
    }));
  });
}
