import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { type StoredAttestation, selectStored, withAttachments } from "../attestations/stored.ts";
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
  const rows = await selectStored(db)
    .where("attestations.trail_id", "=", row.trail_id)
    .where(({ or, and, eb, exists, selectFrom }) =>
      or([
        eb("attestations.artifact_fingerprint", "=", row.fingerprint),
        // By its name and commit, as `isAbout` in `compliance/evaluate.ts` says.
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
