import type { RepoInfo } from "../../../api/resources/provenance.ts";
import { appendAttestationEvent } from "../../attestations/append-event.ts";
import { judgeTrail } from "../../compliance-status/judge-trail.ts";
import type { RequestContext } from "../../kernel/request-context.ts";
import { recordOrigin } from "../../origins/record-origin.ts";
import type { ReceivedFile } from "../../store/blobs/attachments.ts";
import { newId } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { together } from "../../store/together.ts";
import { keepLatest } from "../compliance/latest.ts";
import type { TrailRecords } from "../compliance/trail-records.ts";
import { controlDecided, recordDecision } from "../controls/decisions.ts";
import type { Authors } from "../origins/authors.ts";
import type { Said } from "../origins/compare.ts";
import { captureRepo } from "../repos/records.ts";
import { addSeries, OVERRIDE, seriesId } from "./series.ts";

/** An attestation to record. */
export interface NewAttestation {
  name: string;
  type: string;
  isCompliant: boolean;
  artifactFingerprint: string | null;
  targetArtifacts: readonly string[];
  commitSha: string | null;
  /** As JSON in the names of the wire. */
  gitCommitInfo: string | null;
  repoInfo: RepoInfo | null | undefined;
  isOverride?: true | undefined;
  /** The attestation that this one overrides. */
  overriddenId?: string | undefined;
  /** The fields that are only ever shown, as JSON. */
  details: string;
  /** Where it says that it comes from. */
  said: Said;
  /** Who wrote what it is about, for what somebody else should do. */
  authors?: Authors | undefined;
  /** Stored already. */
  files: readonly ReceivedFile[];
}

/** An attestation that was recorded, with its trail as it left it. */
export interface AddedAttestation {
  id: string;
  trail: TrailRecords;
  /** The latest report of the artifact that it names by fingerprint. */
  artifact: TrailRecords["artifacts"][number] | undefined;
}

/** Records an attestation. Nothing recorded earlier is changed: the latest of a name counts. */
export async function addAttestation(
  db: Database,
  { flowId, trail }: { flowId: string; trail: TrailRecords },
  attestation: NewAttestation,
  requestContext: RequestContext,
): Promise<AddedAttestation> {
  const { name, type, isCompliant, artifactFingerprint, commitSha, targetArtifacts } = attestation;
  const trailId = trail.id;
  const id = newId();
  const control = await controlDecided(db, attestation);
  const repoId = await captureRepo(db, { info: attestation.repoInfo, trailId }, requestContext);
  const place = { id, flowId, trailId, repoId };
  const [artifact] = trail.artifacts
    .filter(({ fingerprint }) => fingerprint === artifactFingerprint)
    .toSorted((a, b) => b.sequence - a.sequence);
  const fact = { id, name, type, fingerprint: artifactFingerprint, targets: targetArtifacts, commitSha };
  const { overriddenId = null, said, authors } = attestation;
  const attestations = [
    ...trail.attestations,
    { ...fact, sequence: NEWEST, compliant: isCompliant, overriddenId },
  ];
  const [, , , , , judged] = await together([
    insertAttestation(db, place, attestation, requestContext),
    insertTargets(db, { id, trailId, targetArtifacts, commitSha }),
    insertAttachments(db, id, attestation.files),
    appendAttestationEvent(db, { ...attestation, id, trailId, repoId, artifact }, requestContext.now),
    keepLatest(db, { ...fact, trailId, control }),
    judgeTrail(db, { ...trail, attestations }, requestContext.now),
    recordOrigin(db, requestContext, { kind: "attestation", id, said, repoId, authors }),
  ]);
  if (control !== undefined) {
    await recordDecision(db, { id, isCompliant, artifactFingerprint, control }, requestContext);
  }
  return { id, trail: judged, artifact };
}

/** What is being recorded is newer than all there is. */
const NEWEST = Number.POSITIVE_INFINITY;

interface Place {
  id: string;
  flowId: string;
  trailId: string;
  repoId: string | null;
}

type Row = Omit<Tables["attestations"], "sequence"> & { series_type: string };

/** In the series that there is of its kind, or else in the one that the row names. */
const insertRow = prepared((db, given: Given<Row>) =>
  db
    .insertInto("attestations")
    .values(({ fn }) => ({
      id: given("id"),
      org_id: given("org_id"),
      flow_id: given("flow_id"),
      trail_id: given("trail_id"),
      series_id: fn.coalesce(
        seriesId(db, {
          flowId: given("flow_id"),
          name: given("name"),
          type: given("series_type"),
          isCompliant: given("is_compliant"),
        }),
        given("series_id"),
      ),
      overridden_id: given("overridden_id"),
      name: given("name"),
      type: given("type"),
      is_compliant: given("is_compliant"),
      artifact_fingerprint: given("artifact_fingerprint"),
      commit_sha: given("commit_sha"),
      repo_id: given("repo_id"),
      details: given("details"),
      created_by: given("created_by"),
      created_at: given("created_at"),
    }))
    .returning("series_id"),
);

async function insertAttestation(
  db: Database,
  { id, flowId, trailId, repoId }: Place,
  attestation: NewAttestation,
  { orgId, accountName, now }: RequestContext,
): Promise<void> {
  const newSeries = newId();
  const seriesType = attestation.isOverride ? OVERRIDE : attestation.type;
  const [inserted] = await insertRow(db, {
    id,
    org_id: orgId,
    flow_id: flowId,
    trail_id: trailId,
    series_id: newSeries,
    series_type: seriesType,
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
  });
  if (inserted?.series_id === newSeries) {
    await addSeries(db, newSeries, { ...attestation, type: seriesType, orgId, flowId });
  }
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
