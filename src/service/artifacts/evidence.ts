import { type StoredAttestation, selectStored, withAttachments } from "../attestations/stored.ts";
import { isAbout } from "../compliance/evaluate.ts";
import { artifactFact, attestationFacts } from "../compliance-status/facts.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";
import type { ArtifactRow } from "./list.ts";

/** Everything that was ever attested on a trail, oldest first. */
export async function evidenceOfTrail(db: Database, trailId: string): Promise<StoredAttestation[]> {
  const rows = await selectStored(db)
    .where("attestations.trail_id", "=", trailId)
    .orderBy("attestations.sequence")
    .execute();
  return withAttachments(db, rows);
}

/** Everything that was ever attested about an artifact in the trail it was reported to, oldest first. */
export async function evidenceOfReport(db: Database, row: ArtifactRow): Promise<StoredAttestation[]> {
  if (row.trail_id === null) return [];
  const artifact = artifactFact(row);
  const facts = await attestationFacts(db, row.trail_id);
  const about = facts.filter((fact) => isAbout(fact, artifact)).map(({ id }) => id);
  const stored = await attestationsById(db, about);
  return [...stored.values()].sort((a, b) => a.row.sequence - b.row.sequence);
}

/** Attestations with their attachments, by id. */
export async function attestationsById(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredAttestation>> {
  const found = new Map<string, StoredAttestation>();
  const rows = await selectStored(db).where("attestations.id", "in", listed(ids)).execute();
  for (const stored of await withAttachments(db, rows)) found.set(stored.row.id, stored);
  return found;
}
