import type { ArtifactFact } from "../../judging/compliance/evaluate.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { listed } from "../../store/dialect.ts";
import type { ComplianceState, Database } from "../../store/tables.ts";

export interface ArtifactFactRow {
  sequence: number;
  id: string;
  fingerprint: string;
  filename: string;
  template_name: string | null;
  commit_sha: string | null;
  is_compliant: number | null;
}

/** A stored report with what it was judged to be. Null where it is not judged until it is read. */
export type JudgedReportRow = ArtifactFactRow & {
  compliance_state: ComplianceState | null;
  compliance_reason: string | null;
};

/** A stored report, as far as compliance needs it. */
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

/** The artifacts of several trails, as far as compliance needs them, by trail. */
export async function artifactFactsOf(
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
