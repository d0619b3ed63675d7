import type { AttestationFact } from "../../judging/compliance/evaluate.ts";
import { listed, listedJson, listedNumbers } from "../../store/dialect.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { AttestationRow, Database } from "../../store/tables.ts";

export function selectLatest(db: Database) {
  return db
    .selectFrom("latest_attestations as kept")
    .innerJoin("attestations as made", "made.sequence", "kept.attestation_sequence")
    .select(["kept.trail_id", "kept.fingerprint", "kept.artifact_name", "made.sequence", "made.id"])
    .select(["made.name", "made.type", "made.is_compliant", "made.commit_sha", "made.overridden_id"]);
}

type FactRow = Pick<
  AttestationRow,
  "sequence" | "id" | "name" | "type" | "is_compliant" | "commit_sha" | "overridden_id"
>;

export interface LatestRow extends FactRow {
  /** Empty for none. */
  fingerprint: string;
  /** Empty for none. */
  artifact_name: string;
}

/** An attestation for several template names has a row for each. */
export function latestFacts(rows: readonly LatestRow[]): AttestationFact[] {
  const facts = new Map<string, AttestationFact & { targets: string[] }>();
  for (const row of rows) {
    const known = facts.get(row.id);
    const targets = row.artifact_name === "" ? [] : [row.artifact_name];
    if (known) known.targets.push(...targets);
    else facts.set(row.id, attestationFact(row, row.fingerprint || null, targets));
  }
  return [...facts.values()];
}

export function attestationFact(row: FactRow, fingerprint: string | null, targets: string[]) {
  const { sequence, id, name, type, commit_sha: commitSha, overridden_id: overriddenId } = row;
  const compliant = row.is_compliant === 1;
  return { sequence, id, name, type, compliant, fingerprint, targets, commitSha, overriddenId };
}

const selectLatestOf = prepared((db, given: Given<{ trailIds: string }>) =>
  selectLatest(db).where("kept.trail_id", "in", listedJson(given("trailIds"))),
);

/** Trails without attestations are absent. */
export async function latestAttestationsOf(db: Database, trailIds: readonly string[]) {
  if (trailIds.length === 0) return byTrail([]);
  return byTrail(await selectLatestOf(db, { trailIds: JSON.stringify(trailIds) }));
}

/**
 * Attestations that count for each of several reports, by trail: about the artifacts, about their trails, or by
 * artifact name.
 */
export async function latestAttestationsAbout(
  db: Database,
  reports: readonly { sequence: number; trailId: string | null }[],
) {
  const inTrails = reports.filter(({ trailId }) => trailId !== null);
  if (inTrails.length === 0) return byTrail([]);
  const trailIds = [...new Set(inTrails.flatMap(({ trailId }) => trailId ?? []))];
  const sequences = inTrails.map(({ sequence }) => sequence);
  const aboutArtifacts = selectLatest(db)
    .innerJoin("artifacts as report", (join) =>
      join
        .onRef("report.trail_id", "=", "kept.trail_id")
        .onRef("report.fingerprint", "=", "kept.fingerprint"),
    )
    .where("report.sequence", "in", listedNumbers(sequences));
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
