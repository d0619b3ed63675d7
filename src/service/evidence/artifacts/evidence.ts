import { type AttestationFact, isAbout } from "../../judging/compliance/evaluate.ts";
import type { Template } from "../../judging/compliance/template.ts";
import type { Verdict } from "../../judging/compliance/trail-verdict.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { type StoredAttestation, selectStored, withAttachments } from "../attestations/stored.ts";
import { artifactFact, verdictOfReport } from "../compliance/facts.ts";
import { latestAttestationsAbout } from "../compliance/latest.ts";
import type { ArtifactRow } from "./list.ts";

/** All attestations on a trail, oldest first. */
export async function evidenceOfTrail(db: Database, trailId: string): Promise<StoredAttestation[]> {
  const rows = await selectStored(db)
    .where("attestations.trail_id", "=", trailId)
    .orderBy("attestations.sequence")
    .execute();
  return withAttachments(db, rows);
}

/** All attestations about an artifact in the trail of its report, oldest first. */
export async function evidenceOfReport(db: Database, row: ArtifactRow): Promise<StoredAttestation[]> {
  if (row.trail_id === null) return [];
  const rows = await selectStored(db)
    .where("attestations.trail_id", "=", row.trail_id)
    .where(({ or, and, eb, exists, selectFrom }) =>
      or([
        eb("attestations.artifact_fingerprint", "=", row.fingerprint),
        // By name and commit, as in `isAbout` in `compliance/evaluate.ts`.
        and([
          eb("attestations.artifact_fingerprint", "is", null),
          exists(
            selectFrom("attestation_targets as target")
              .select("target.artifact_name")
              .whereRef("target.attestation_id", "=", "attestations.id")
              .where("target.artifact_name", "=", row.template_name)
              .where("target.commit_sha", "=", row.commit_sha),
          ),
        ]),
      ]),
    )
    .orderBy("attestations.sequence")
    .execute();
  return withAttachments(db, rows);
}

async function attestationsById(db: Database, ids: readonly string[]) {
  const found = new Map<string, StoredAttestation>();
  const rows = await selectStored(db).where("attestations.id", "in", listed(ids)).execute();
  for (const stored of await withAttachments(db, rows)) found.set(stored.row.id, stored);
  return found;
}

export interface EvaluatedReport {
  row: ArtifactRow;
  template: Template;
  verdict: Verdict;
  evidence: ReadonlyMap<string, StoredAttestation>;
}

/** Uses a fixed number of queries for any number of reports. */
export async function evaluateReports(
  db: Database,
  rows: readonly ArtifactRow[],
): Promise<EvaluatedReport[]> {
  const reports = rows.map((row) => ({ ...artifactFact(row), trailId: row.trail_id }));
  const attestations = await latestAttestationsAbout(db, reports);
  const latest = reports.map((report) =>
    latestByName((attestations.get(report.trailId ?? "") ?? []).filter((each) => isAbout(each, report))),
  );
  const stored = await attestationsById(db, idsOf(latest.flatMap((ofReport) => [...ofReport.values()])));
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
