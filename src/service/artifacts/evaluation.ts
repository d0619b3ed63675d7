import type { StoredAttestation } from "../attestations/stored.ts";
import {
  type ArtifactStatus,
  type AttestationFact,
  evaluateArtifact,
  isAbout,
} from "../compliance/evaluate.ts";
import type { Template } from "../compliance/template.ts";
import { artifactFact, attestationFactsOf } from "../compliance-status/facts.ts";
import type { Database } from "../store/tables.ts";
import { attestationsById } from "./evidence.ts";
import type { ArtifactRow } from "./list.ts";

/** A report of an artifact, whether it is compliant in its trail, and the latest evidence of each name about it. */
export interface EvaluatedReport {
  row: ArtifactRow;
  template: Template;
  status: ArtifactStatus;
  /** By the name of the attestation. */
  evidence: ReadonlyMap<string, StoredAttestation>;
}

/** Evaluates several reports, each in its own trail, with a fixed number of queries for all of them. */
export async function evaluateReports(
  db: Database,
  rows: readonly ArtifactRow[],
): Promise<EvaluatedReport[]> {
  const trailIds = new Set(rows.flatMap(({ trail_id }) => trail_id ?? []));
  const factsOfTrail = await attestationFactsOf(db, [...trailIds]);
  const evaluated = rows.map((row) => {
    const template: Template = JSON.parse(row.trail_template ?? row.flow_template);
    const attestations = row.trail_id === null ? [] : (factsOfTrail.get(row.trail_id) ?? []);
    const artifact = artifactFact(row);
    const status = evaluateArtifact({ template, attestations }, artifact);
    const latest = latestByName(attestations.filter((attestation) => isAbout(attestation, artifact)));
    return { row, template, status, latest };
  });
  const stored = await attestationsById(
    db,
    evaluated.flatMap(({ latest }) => [...latest.values()].map(({ id }) => id)),
  );
  return evaluated.map(({ row, template, status, latest }) => {
    const evidence = new Map<string, StoredAttestation>();
    for (const [name, { id }] of latest) {
      const attestation = stored.get(id);
      if (attestation) evidence.set(name, attestation);
    }
    return { row, template, status, evidence };
  });
}

function latestByName(facts: readonly AttestationFact[]): Map<string, AttestationFact> {
  const inOrder = facts.toSorted((a, b) => a.sequence - b.sequence);
  return new Map(inOrder.map((fact) => [fact.name, fact]));
}
