import type { AttestationFact } from "../../judging/compliance/evaluate.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

export function selectLatest(db: Database) {
  return db
    .selectFrom("latest_attestations as kept")
    .innerJoin("attestations as made", "made.sequence", "kept.attestation_sequence")
    .select(["kept.trail_id", "kept.fingerprint", "kept.artifact_name", "made.sequence", "made.id"])
    .select(["made.name", "made.type", "made.is_compliant", "made.commit_sha", "made.overridden_id"]);
}

export interface LatestRow {
  id: string;
  sequence: number;
  name: string;
  type: string;
  is_compliant: number;
  /** Empty for none. */
  fingerprint: string;
  /** Empty for none. */
  artifact_name: string;
  commit_sha: string | null;
  overridden_id: string | null;
}

/** An attestation for several template names has a row for each. */
export function latestFacts(rows: readonly LatestRow[]): AttestationFact[] {
  const facts = new Map<string, AttestationFact & { targets: string[] }>();
  for (const row of rows) {
    const known = facts.get(row.id);
    const targets = row.artifact_name === "" ? [] : [row.artifact_name];
    if (known) known.targets.push(...targets);
    else {
      facts.set(row.id, {
        sequence: row.sequence,
        id: row.id,
        name: row.name,
        type: row.type,
        compliant: row.is_compliant === 1,
        fingerprint: row.fingerprint === "" ? null : row.fingerprint,
        targets,
        commitSha: row.commit_sha,
        overriddenId: row.overridden_id,
      });
    }
  }
  return [...facts.values()];
}

/** Trails without attestations are absent. */
export async function latestAttestationsOf(
  db: Database,
  trailIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AttestationFact[]>> {
  if (trailIds.length === 0) return new Map();
  return byTrail(await selectLatest(db).where("kept.trail_id", "in", listed(trailIds)).execute());
}

interface ReportInTrail {
  sequence: number;
  trailId: string | null;
}

/**
 * Attestations that count for each of several reports, by trail: about the artifacts, about their trails, or by
 * artifact name.
 */
export async function latestAttestationsAbout(
  db: Database,
  reports: readonly ReportInTrail[],
): Promise<ReadonlyMap<string, readonly AttestationFact[]>> {
  const inTrails = reports.filter(({ trailId }) => trailId !== null);
  if (inTrails.length === 0) return new Map();
  const trailIds = [...new Set(inTrails.flatMap(({ trailId }) => trailId ?? []))];
  const sequences = inTrails.map(({ sequence }) => sequence);
  const aboutArtifacts = selectLatest(db)
    .innerJoin("artifacts as report", (join) =>
      join
        .onRef("report.trail_id", "=", "kept.trail_id")
        .onRef("report.fingerprint", "=", "kept.fingerprint"),
    )
    .where("report.sequence", "in", listed(sequences));
  const rows = await selectLatest(db)
    .where("kept.trail_id", "in", listed(trailIds))
    .where("kept.fingerprint", "=", "")
    .unionAll(aboutArtifacts)
    .execute();
  return byTrail(rows);
}

function byTrail(rows: readonly (LatestRow & { trail_id: string })[]) {
  const ofTrails = Map.groupBy(rows, ({ trail_id }) => trail_id);
  return new Map([...ofTrails].map(([trailId, ofTrail]) => [trailId, latestFacts(ofTrail)]));
}
