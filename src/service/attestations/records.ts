import type { RepoInfo } from "../../api/provenance.ts";
import { judgeTrail } from "../compliance-status/judge-trail.ts";
import { keepLatest } from "../compliance-status/latest.ts";
import type { TrailRecords } from "../compliance-status/trail-records.ts";
import { controlDecided, recordDecision } from "../controls/decisions.ts";
import type { RequestContext } from "../kernel/request-context.ts";
import { captureRepo } from "../repos/records.ts";
import type { ReceivedFile } from "../store/blobs/attachments.ts";
import { newId } from "../store/ids.ts";
import type { Database } from "../store/tables.ts";
import { appendAttestationEvent } from "./append-event.ts";
import { addSeries, seriesId } from "./series.ts";

/** An attestation to record. */
export interface NewAttestation {
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
  { flowId, trail }: { flowId: string; trail: TrailRecords },
  attestation: NewAttestation,
  requestContext: RequestContext,
): Promise<void> {
  const { name, type, isCompliant, artifactFingerprint, commitSha, targetArtifacts } = attestation;
  const trailId = trail.id;
  const id = newId();
  const control = await controlDecided(db, attestation);
  const repoId = await captureRepo(db, { info: attestation.repoInfo, trailId }, requestContext);
  const place = { id, flowId, trailId, repoId };
  const sequence = await insertAttestation(db, place, attestation, requestContext);
  await insertTargets(db, { id, trailId, targetArtifacts, commitSha });
  await insertAttachments(db, id, attestation.files);
  const [artifact] = trail.artifacts
    .filter(({ fingerprint }) => fingerprint === artifactFingerprint)
    .toSorted((a, b) => b.sequence - a.sequence);
  await appendAttestationEvent(db, { ...attestation, id, trailId, repoId, artifact }, requestContext.now);
  if (control !== undefined) {
    await recordDecision(db, { id, isCompliant, artifactFingerprint, control }, requestContext);
  }
  const fact = {
    sequence,
    name,
    type,
    fingerprint: artifactFingerprint,
    targets: targetArtifacts,
    commitSha,
  };
  await keepLatest(db, { ...fact, trailId, control });
  const { overriddenId = null } = attestation;
  const attestations = [...trail.attestations, { ...fact, id, compliant: isCompliant, overriddenId }];
  await judgeTrail(db, { ...trail, attestations }, requestContext.now);
}

interface Place {
  id: string;
  flowId: string;
  trailId: string;
  repoId: string | null;
}

/** @returns its number among all attestations */
async function insertAttestation(
  db: Database,
  { id, flowId, trailId, repoId }: Place,
  attestation: NewAttestation,
  { orgId, accountName, now }: RequestContext,
): Promise<number> {
  const series = { ...attestation, orgId, flowId };
  const newSeries = newId();
  const { sequence, series_id } = await db
    .insertInto("attestations")
    .values(({ fn, val }) => ({
      id,
      org_id: orgId,
      flow_id: flowId,
      trail_id: trailId,
      series_id: fn.coalesce(seriesId(db, series), val(newSeries)),
      overridden_id: attestation.overriddenId ?? null,
      name: attestation.name,
      type: attestation.type,
      is_compliant: Number(attestation.isCompliant),
      artifact_fingerprint: attestation.artifactFingerprint,
      commit_sha: attestation.commitSha,
      repo_id: repoId,
      details: attestation.details,
      created_by: accountName,
      created_at: now,
    }))
    .returning(["sequence", "series_id"])
    .executeTakeFirstOrThrow();
  if (series_id === newSeries) await addSeries(db, newSeries, series);
  return sequence;
}

async function insertTargets(
  db: Database,
  {
    id,
    trailId,
    targetArtifacts,
    commitSha,
  }: { id: string; trailId: string; targetArtifacts: readonly string[]; commitSha: string | null },
): Promise<void> {
  const targets = [...new Set(targetArtifacts)].map((name) => ({
    attestation_id: id,
    trail_id: trailId,
    artifact_name: name,
    commit_sha: commitSha,
  }));
  if (targets.length > 0) await db.insertInto("attestation_targets").values(targets).execute();
}

async function insertAttachments(db: Database, id: string, files: readonly ReceivedFile[]): Promise<void> {
  const attachments = files.map(({ name, size, mediaType, sha256 }, position) => ({
    attestation_id: id,
    position,
    name,
    size,
    media_type: mediaType,
    sha256,
  }));
  if (attachments.length > 0) await db.insertInto("attachments").values(attachments).execute();
}
