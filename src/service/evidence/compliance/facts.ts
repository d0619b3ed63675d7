import {
  type ArtifactFact,
  evaluateArtifact,
  evaluateTrail,
  type TrailStatus,
} from "../../judging/compliance/evaluate.ts";
import type { Template } from "../../judging/compliance/template.ts";
import { type Verdict, verdictOfArtifact } from "../../judging/compliance/trail-verdict.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { listed } from "../../store/dialect.ts";
import type { ComplianceState, Database } from "../../store/tables.ts";
import { latestAttestationsOf } from "./latest.ts";

export interface ArtifactFactRow {
  sequence: number;
  id: string;
  fingerprint: string;
  filename: string;
  template_name: string | null;
  commit_sha: string | null;
  is_compliant: number | null;
}

/** Null while not yet evaluated. */
export type JudgedReportRow = ArtifactFactRow & {
  compliance_state: ComplianceState | null;
  compliance_reason: string | null;
};

export function artifactFact(row: ArtifactFactRow): ArtifactFact {
  return {
    sequence: row.sequence,
    id: row.id,
    fingerprint: row.fingerprint,
    filename: row.filename,
    templateName: row.template_name,
    commitSha: row.commit_sha,
    declaredCompliant: row.is_compliant === null ? null : row.is_compliant === 1,
  };
}

async function artifactFactsOf(
  db: Database,
  trailIds: readonly string[],
): Promise<ReadonlyMap<string, ArtifactFact[]>> {
  const rows = await db
    .selectFrom("artifacts")
    .select(["trail_id", "sequence", "id", "fingerprint", "filename", "template_name", "commit_sha"])
    .select("is_compliant")
    .where("trail_id", "in", listed(trailIds))
    .execute();
  return valuesByKey(rows, ({ trail_id }) => trail_id ?? "", artifactFact);
}

/**
 * The verdict on a report. One without a trail is evaluated here: it has no attestations, and its flow's template may
 * change.
 */
export function verdictOfReport(row: JudgedReportRow, templateText: string): Verdict {
  const { compliance_state: state, compliance_reason: reason } = row;
  if (state !== null) return { state, reason };
  const template: Template = JSON.parse(templateText);
  return verdictOfArtifact(evaluateArtifact({ template, attestations: [] }, artifactFact(row)));
}

/** Slot by slot, by trail. Uses a fixed number of queries. */
export async function trailStatuses(
  db: Database,
  trails: readonly { id: string; template: string }[],
): Promise<ReadonlyMap<string, TrailStatus>> {
  const ids = trails.map(({ id }) => id);
  const artifacts = await artifactFactsOf(db, ids);
  const attestations = await latestAttestationsOf(db, ids);
  return new Map(
    trails.map(({ id, template }) => [
      id,
      evaluateTrail({
        template: JSON.parse(template),
        artifacts: artifacts.get(id) ?? [],
        attestations: attestations.get(id) ?? [],
      }),
    ]),
  );
}
