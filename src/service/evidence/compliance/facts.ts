import type { Selectable } from "kysely";
import { type ArtifactFact, evaluateArtifact, evaluateTrail } from "../../judging/compliance/evaluate.ts";
import type { Template } from "../../judging/compliance/template.ts";
import { type Verdict, verdictOfArtifact } from "../../judging/compliance/trail-verdict.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { listedJson } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { latestAttestationsOf } from "./latest.ts";

export type ArtifactFactRow = Pick<
  Selectable<Tables["artifacts"]>,
  "sequence" | "id" | "fingerprint" | "filename" | "template_name" | "commit_sha" | "is_compliant"
>;

/** Null while not yet evaluated. */
export type EvaluatedReportRow = ArtifactFactRow &
  Pick<Tables["artifacts"], "compliance_state" | "compliance_reason">;

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

const selectArtifacts = prepared((db, given: Given<{ trailIds: string }>) =>
  db
    .selectFrom("artifacts")
    .select(["trail_id", "sequence", "id", "fingerprint", "filename", "template_name", "commit_sha"])
    .select("is_compliant")
    .where("trail_id", "in", listedJson(given("trailIds"))),
);

async function artifactFactsOf(db: Database, trailIds: readonly string[]) {
  const rows = await selectArtifacts(db, { trailIds: JSON.stringify(trailIds) });
  return valuesByKey(rows, (row) => [row.trail_id ?? "", artifactFact(row)]);
}

/**
 * The result of a report. A report without a trail is evaluated here, because it has no attestations and its flow's
 * template may change.
 */
export function verdictOfReport(row: EvaluatedReportRow, templateText: string): Verdict {
  const { compliance_state: state, compliance_reason: reason } = row;
  if (state !== null) return { state, reason };
  const template: Template = JSON.parse(templateText);
  return verdictOfArtifact(evaluateArtifact({ template, attestations: [] }, artifactFact(row)));
}

/** Statuses of slots, by trail. Uses a fixed number of queries. */
export async function trailStatuses(db: Database, trails: readonly { id: string; template: Template }[]) {
  const ids = idsOf(trails);
  const artifacts = await artifactFactsOf(db, ids);
  const attestations = await latestAttestationsOf(db, ids);
  return new Map(
    trails.map(({ id, template }) => [
      id,
      evaluateTrail({
        template,
        artifacts: artifacts.get(id) ?? [],
        attestations: attestations.get(id) ?? [],
      }),
    ]),
  );
}
