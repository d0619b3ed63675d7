import type { ArtifactFact, AttestationFact } from "../compliance/evaluate.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

/** Whether an artifact was reported to a trail. */
export async function isInTrail(db: Database, trailId: string, fingerprint: string): Promise<boolean> {
  const row = await db
    .selectFrom("artifacts")
    .select("id")
    .where("trail_id", "=", trailId)
    .where("fingerprint", "=", fingerprint)
    .executeTakeFirst();
  return row !== undefined;
}

/** The names by which an artifact was reported to a trail. */
export async function namesInTrail(db: Database, trailId: string, fingerprint: string): Promise<string[]> {
  const rows = await db
    .selectFrom("artifacts")
    .select(["template_name", "filename"])
    .where("trail_id", "=", trailId)
    .where("fingerprint", "=", fingerprint)
    .execute();
  return [...new Set(rows.map(({ template_name, filename }) => template_name ?? filename))];
}

/**
 * Those of some artifacts, by their names in the template, that were reported to a trail, but not at this commit.
 * `isAbout` in `compliance/evaluate.ts` says what a claim by name counts for.
 */
export async function namesAtOtherCommits(
  db: Database,
  trailId: string,
  { artifacts, commitSha }: { artifacts: readonly string[]; commitSha: string | undefined },
): Promise<string[]> {
  if (artifacts.length === 0) return [];
  const reported = await db
    .selectFrom("artifacts")
    .select(["template_name", "commit_sha"])
    .distinct()
    .where("trail_id", "=", trailId)
    .where("template_name", "in", listed(artifacts))
    .execute();
  const isHere = (name: string) =>
    reported.some(({ template_name, commit_sha }) => template_name === name && commit_sha === commitSha);
  return artifacts.filter(
    (name) => reported.some(({ template_name }) => template_name === name) && !isHere(name),
  );
}

/** A stored report, as far as compliance needs it. */
export function artifactFact(row: {
  sequence: number;
  id: string;
  fingerprint: string;
  filename: string;
  template_name: string | null;
  commit_sha: string | null;
  is_compliant: number | null;
}): ArtifactFact {
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

/** Every attestation of a trail, as far as compliance needs it. */
export async function attestationFacts(db: Database, trailId: string): Promise<AttestationFact[]> {
  return (await attestationFactsOf(db, [trailId])).get(trailId) ?? [];
}

/** The same for several trails at once, by trail. A trail without attestations is absent. */
export async function attestationFactsOf(
  db: Database,
  trailIds: readonly string[],
): Promise<Map<string, AttestationFact[]>> {
  if (trailIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("attestations")
    .leftJoin("attestation_targets as target", "target.attestation_id", "attestations.id")
    .select(["attestations.trail_id", "sequence", "id", "name", "type", "is_compliant"])
    .select(["artifact_fingerprint", "attestations.commit_sha", "overridden_id", "target.artifact_name"])
    .where("attestations.trail_id", "in", listed(trailIds))
    .execute();
  const facts = new Map<string, AttestationFact[]>();
  // An attestation that is for several artifacts of the template has a row for each.
  for (const [id, [row, ...more]] of Map.groupBy(rows, (each) => each.id)) {
    if (!row) continue;
    const ofTrail = facts.get(row.trail_id) ?? [];
    ofTrail.push({
      sequence: row.sequence,
      id,
      name: row.name,
      type: row.type,
      compliant: row.is_compliant === 1,
      fingerprint: row.artifact_fingerprint,
      targets: [row, ...more].flatMap(({ artifact_name }) => artifact_name ?? []),
      commitSha: row.commit_sha,
      overriddenId: row.overridden_id,
    });
    facts.set(row.trail_id, ofTrail);
  }
  return facts;
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
  const facts = new Map<string, ArtifactFact[]>();
  for (const row of rows) {
    if (row.trail_id === null) continue;
    const ofTrail = facts.get(row.trail_id);
    if (ofTrail) ofTrail.push(artifactFact(row));
    else facts.set(row.trail_id, [artifactFact(row)]);
  }
  return facts;
}
