import { verdictOfReport } from "../compliance-status/report-verdict.ts";
import { attestationsById } from "../evidence/artifacts/evidence.ts";
import type { ArtifactRow } from "../evidence/artifacts/list.ts";
import type { StoredAttestation } from "../evidence/attestations/stored.ts";
import { artifactFact } from "../evidence/compliance/facts.ts";
import { latestAttestationsAbout } from "../evidence/compliance/latest.ts";
import { type AttestationFact, isAbout } from "../judging/compliance/evaluate.ts";
import type { Template } from "../judging/compliance/template.ts";
import type { Verdict } from "../judging/compliance/trail-verdict.ts";
import type { Database } from "../store/tables.ts";

/** A report of an artifact, whether it is compliant in its trail, and the latest evidence of each name about it. */
export interface EvaluatedReport {
  row: ArtifactRow;
  template: Template;
  verdict: Verdict;
  /** By the name of the attestation. */
  evidence: ReadonlyMap<string, StoredAttestation>;
}

/** Several reports with what they were judged to be, with a fixed number of queries for all of them. */
export async function evaluateReports(
  db: Database,
  rows: readonly ArtifactRow[],
): Promise<EvaluatedReport[]> {
  const reports = rows.map((row) => ({ ...artifactFact(row), trailId: row.trail_id }));
  const attestations = await latestAttestationsAbout(db, reports);
  const latest = reports.map((report) =>
    latestByName((attestations.get(report.trailId ?? "") ?? []).filter((each) => isAbout(each, report))),
  );
  const stored = await attestationsById(
    db,
    latest.flatMap((ofReport) => [...ofReport.values()].map(({ id }) => id)),
  );
  return rows.map((row, index) => {
    const template = row.trail_template ?? row.flow_template;
    const evidence = new Map<string, StoredAttestation>();
    for (const [name, { id }] of latest[index] ?? []) {
      const attestation = stored.get(id);
      if (attestation) evidence.set(name, attestation);
    }
    return { row, template: JSON.parse(template), verdict: verdictOfReport(row, template), evidence };
  });
}

function latestByName(facts: readonly AttestationFact[]): Map<string, AttestationFact> {
  const inOrder = facts.toSorted((a, b) => a.sequence - b.sequence);
  return new Map(inOrder.map((fact) => [fact.name, fact]));
}
