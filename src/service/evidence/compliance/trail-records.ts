import { expressionBuilder } from "kysely";
import type { ArtifactFact, AttestationFact } from "../../judging/compliance/evaluate.ts";
import type { Template } from "../../judging/compliance/template.ts";
import type { Verdict } from "../../judging/compliance/trail-verdict.ts";
import { rowsAsText } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { artifactFact, type EvaluatedReportRow } from "./facts.ts";
import { type LatestRow, latestFacts, selectLatest } from "./latest.ts";

/** Null while not yet evaluated. */
interface EvaluatedReport extends ArtifactFact {
  verdict: Verdict | null;
}

export interface TrailRecords {
  id: string;
  template: Template;
  verdict: Verdict;
  artifacts: readonly EvaluatedReport[];
  attestations: readonly AttestationFact[];
}

export function recordsSelection(db: Database) {
  const { ref } = expressionBuilder<Tables, "trails">();
  const artifacts = db
    .selectFrom("artifacts")
    .select(["sequence", "id", "fingerprint", "filename", "template_name", "commit_sha", "is_compliant"])
    .select(["compliance_state", "compliance_reason"])
    .where("trail_id", "=", ref("trails.id"));
  const attestations = selectLatest(db).where("kept.trail_id", "=", ref("trails.id"));
  // Converted to text, so that one query can read all.
  return { artifacts: rowsAsText(artifacts), attestations: rowsAsText(attestations) };
}

type TrailRow = Pick<Tables["trails"], "id" | "template" | "compliance_state" | "compliance_reason">;

interface TrailRecordsRow extends TrailRow {
  artifacts: string;
  attestations: string;
}

export function trailRecords(row: TrailRecordsRow): TrailRecords {
  const artifacts: EvaluatedReportRow[] = JSON.parse(row.artifacts);
  const attestations: LatestRow[] = JSON.parse(row.attestations);
  return {
    id: row.id,
    template: JSON.parse(row.template),
    verdict: { state: row.compliance_state, reason: row.compliance_reason },
    artifacts: artifacts.map(({ compliance_state: state, compliance_reason: reason, ...artifact }) => ({
      ...artifactFact(artifact),
      verdict: state === null ? null : { state, reason },
    })),
    attestations: latestFacts(attestations),
  };
}

export async function requireTrailRecords(db: Database, trailId: string): Promise<TrailRecords> {
  const { artifacts, attestations } = recordsSelection(db);
  const row = await db
    .selectFrom("trails")
    .select(["id", "template", "compliance_state", "compliance_reason"])
    .select([artifacts.as("artifacts"), attestations.as("attestations")])
    .where("id", "=", trailId)
    .executeTakeFirstOrThrow();
  return trailRecords(row);
}
