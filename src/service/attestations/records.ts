import type { RepoInfo } from "../../api/provenance.ts";
import { noteDecision } from "../controls/decisions.ts";
import type { Occasion } from "../kernel/request-context.ts";
import { captureRepo } from "../repos/records.ts";
import type { ReceivedFile } from "../store/blobs/attachments.ts";
import { newId } from "../store/ids.ts";
import type { Database } from "../store/tables.ts";
import { linkRepo } from "../trails/records.ts";
import { noteAttestation } from "./event.ts";
import { ensureSeries } from "./series.ts";

/** An attestation to record. */
export interface NewAttestation {
  flowId: string;
  trailId: string;
  name: string;
  type: string;
  isCompliant: boolean;
  artifactFingerprint: string | null;
  targetArtifacts: readonly string[];
  commitSha: string | null;
  repoInfo: RepoInfo | null | undefined;
  /** The attestation that this one overrides. */
  overriddenId?: string | undefined;
  /** The fields that are only ever shown, as JSON. */
  details: string;
  /** Stored already. */
  files: readonly ReceivedFile[];
}

/** Records an attestation. Nothing recorded earlier is changed: the latest of a name counts. */
export async function addAttestation(
  db: Database,
  attestation: NewAttestation,
  { orgId, accountName, now }: Occasion,
): Promise<void> {
  const { trailId, artifactFingerprint, commitSha, targetArtifacts, files } = attestation;
  const id = newId();
  const repoId = await captureRepo(db, orgId, attestation.repoInfo, now);
  await linkRepo(db, trailId, repoId);
  const seriesId = await ensureSeries(db, { orgId, ...attestation });
  await db
    .insertInto("attestations")
    .values({
      id,
      org_id: orgId,
      flow_id: attestation.flowId,
      trail_id: trailId,
      series_id: seriesId,
      overridden_id: attestation.overriddenId ?? null,
      name: attestation.name,
      type: attestation.type,
      is_compliant: Number(attestation.isCompliant),
      artifact_fingerprint: artifactFingerprint,
      commit_sha: commitSha,
      repo_id: repoId,
      details: attestation.details,
      created_by: accountName,
      created_at: now,
    })
    .execute();
  const targets = [...new Set(targetArtifacts)].map((name) => ({
    attestation_id: id,
    trail_id: trailId,
    artifact_name: name,
    commit_sha: commitSha,
  }));
  if (targets.length > 0) await db.insertInto("attestation_targets").values(targets).execute();
  const attachments = files.map(({ name, size, mediaType, sha256 }, position) => ({
    attestation_id: id,
    position,
    name,
    size,
    media_type: mediaType,
    sha256,
  }));
  if (attachments.length > 0) await db.insertInto("attachments").values(attachments).execute();
  await noteAttestation(db, { ...attestation, id, repoId }, now);
  await noteDecision(db, { ...attestation, id }, { orgId, accountName, now });
}
