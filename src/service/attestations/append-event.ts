import { OVERRIDE } from "../evidence/attestations/series.ts";
import { addTrailEvents, type TrailEvent } from "../evidence/trails/events.ts";
import type { ArtifactFact } from "../judging/compliance/evaluate.ts";
import type { Database } from "../store/tables.ts";

/** An attestation that was just recorded. */
interface RecordedAttestation {
  id: string;
  trailId: string;
  name: string;
  type: string;
  isOverride?: true | undefined;
  isCompliant: boolean;
  /** The latest report of the artifact that it names by fingerprint. */
  artifact: ArtifactFact | undefined;
  targetArtifacts: readonly string[];
  repoId: string | null;
  /** As JSON in the names of the wire. */
  gitCommitInfo: string | null;
}

/** Adds an attestation to the events of its trail, by what it is about. */
export async function appendAttestationEvent(
  db: Database,
  attestation: RecordedAttestation,
  now: number,
): Promise<void> {
  const { trailId, repoId, artifact, gitCommitInfo } = attestation;
  const fields = {
    attestation_type: attestation.isOverride ? OVERRIDE : attestation.type,
    is_compliant: attestation.isCompliant,
    attestation_id: attestation.id,
    template_reference_name: attestation.name,
  };
  const event = (type: TrailEvent["type"], about: object): TrailEvent => ({
    trailId,
    type,
    timestamp: now,
    gitCommitInfo,
    repoId,
    details: { ...fields, ...about },
  });
  const targets = [...new Set(attestation.targetArtifacts)];
  if (artifact) {
    const about = {
      artifact_fingerprint: artifact.fingerprint,
      artifact_name: artifact.filename,
      target_artifact: artifact.templateName,
    };
    await addTrailEvents(db, [event("artifact_attestation_reported", about)]);
  } else if (targets.length > 0) {
    const events = targets.map((name) =>
      event("trail_attestation_for_artifact_reported", { target_artifact: name }),
    );
    await addTrailEvents(db, events);
  } else await addTrailEvents(db, [event("trail_attestation_reported", {})]);
}
