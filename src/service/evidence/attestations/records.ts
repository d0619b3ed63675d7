import { hash } from "node:crypto";
import type { RepoInfo } from "../../../api/resources/provenance.ts";
import { evaluateTrail } from "../../events/projections/compliance.ts";
import { record } from "../../events/record.ts";
import type { EventData } from "../../events/types/event-types.ts";
import type { EvaluatedBy } from "../../judging/policies/decided-by.ts";
import type { ActContext, Organization, RequestContext } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { ReceivedFile } from "../../store/blobs/attachments.ts";
import { OVERRIDE } from "../../store/evidence-tables.ts";
import { newId, newIdOf } from "../../store/ids.ts";
import { type Given, prepared, together } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import type { TrailRecords } from "../compliance/trail-records.ts";
import { controlDecided, decidedControl, recordDecision } from "../controls/decisions.ts";
import { authorsOf, claimsOf } from "../origins/authors.ts";
import type { StatedOrigin } from "../origins/compare.ts";
import { captureRepo } from "../repos/records.ts";
import type { OpenTrail } from "../trails/open-trail.ts";
import { seriesId } from "./series.ts";

interface NewAttestation {
  name: string;
  type: string;
  isCompliant: boolean;
  artifactFingerprint: string | null;
  targetArtifacts: string[];
  commitSha: string | null;
  /** JSON in wire names. */
  gitCommitInfo: string | null;
  repoInfo: RepoInfo | null;
  override?: Override | undefined;
  evaluatedBy?: EvaluatedBy | undefined;
  /** Fields that are only displayed, as JSON. */
  details: string;
  stated: StatedOrigin;
  files: readonly ReceivedFile[];
}

export interface Override {
  overriddenId: string | null;
  wasCompliant: boolean | null;
  reason: string;
}

/** @throws NotFound for a fingerprint that was not reported to the trail */
export function requireReported(
  { artifacts }: TrailRecords,
  fingerprint: string | null | undefined,
  { org, flowName, trailName }: { org: Organization; flowName: string; trailName: string },
): void {
  if (!fingerprint || artifacts.some((reported) => reported.fingerprint === fingerprint)) return;
  throw new NotFound(
    "artifact.not_found",
    `Artifact with fingerprint ${fingerprint} does not exist in trail "${trailName}" of flow "${flowName}" belonging to organization "${org.name}"`,
  );
}

/**
 * Records an attestation and returns its id. Earlier ones stay, and the latest of a name counts.
 *
 * @throws Invalid for a bound control
 */
export async function addAttestation(
  db: Database,
  place: OpenTrail & { trailName: string },
  attestation: NewAttestation,
  by: ActContext,
): Promise<string> {
  const [id, flowId, trailId] = [newIdOf(by.now), place.flow.id, place.trail.id];
  const { name, type, isCompliant, commitSha, override, gitCommitInfo, stated } = attestation;
  const { artifactFingerprint: fingerprint, targetArtifacts: targets } = attestation;
  const overriddenId = override?.overriddenId ?? null;
  const control = await controlDecided(db, { ...attestation, overriddenId });
  const { evaluatedBy } = attestation;
  const decided =
    control && (await decidedControl(db, { orgId: by.orgId, identifier: control, evaluatedBy }));
  const repo = await captureRepo(db, { info: attestation.repoInfo, trailId }, by);
  const repoId = repo?.id ?? null;
  const claims = override && claimsOf(by);
  const query = { flowId, trailId, fingerprint, gitCommitInfo };
  const authors = claims && (await authorsOf(db, { ...query, by: claims }));
  const fact = { id, name, type, fingerprint, targets, commitSha };
  const newest = { ...fact, sequence: NEWEST, compliant: isCompliant, overriddenId };
  const evaluation = evaluateTrail({ ...place.trail, attestations: [...place.trail.attestations, newest] });
  const trail = { name: place.trailName, records: evaluation.after, source: place.source };
  const subject = { id, name };
  const seen = {
    place: { ...place, trail },
    evaluation,
    latest: { ...fact, trailId, control },
    details: attestation.details,
    stated,
    linked: repo ? [repo.shown] : [],
    authors,
  };
  const data = { ...dataOf(place, attestation, repoId), control: control ?? null };
  const row = insertAttestation(db, { id, flowId, trailId, repoId }, attestation, by);
  const more = [
    insertTargets(db, { id, trailId, targets, commitSha }),
    insertAttachments(db, id, attestation.files),
  ];
  const decision =
    decided &&
    recordDecision(db, { id, isCompliant, artifactFingerprint: fingerprint, control: decided }, by);
  const event = override
    ? record(db, by, {
        type: "attestation.overridden",
        subject,
        trailId,
        data: {
          ...data,
          flow: place.flow.name,
          trail: place.trailName,
          reason: override.reason,
          overridden_id: overriddenId,
          was_compliant: override.wasCompliant,
        },
        seen,
      })
    : record(db, by, { type: "attestation.recorded", subject, trailId, data, seen });
  await together([row, ...more, decision, event]);
  return id;
}

function dataOf(
  { flow, trail }: OpenTrail,
  attestation: NewAttestation,
  repoId: string | null,
): Omit<EventData<"attestation.recorded">, "control"> {
  const { artifactFingerprint, stated, details, files } = attestation;
  const [latest] = trail.artifacts
    .filter(({ fingerprint }) => fingerprint === artifactFingerprint)
    .toSorted((a, b) => b.sequence - a.sequence);
  const artifact = latest && {
    id: latest.id,
    fingerprint: latest.fingerprint,
    filename: latest.filename,
    template_name: latest.templateName,
  };
  return {
    flow_id: flow.id,
    type: attestation.type,
    is_compliant: attestation.isCompliant,
    origin_url: stated.run ?? null,
    commit_sha: attestation.commitSha,
    git_commit_info: attestation.gitCommitInfo,
    repo_id: repoId,
    artifact: artifact ?? null,
    targets: attestation.targetArtifacts,
    details: hash("sha256", details),
    attachments: files.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
  };
}

/** A number greater than all stored ones. */
const NEWEST = Number.POSITIVE_INFINITY;

interface Place {
  id: string;
  flowId: string;
  trailId: string;
  repoId: string | null;
}

type Row = Omit<Tables["attestations"], "sequence"> & { series_type: string };

/** Inserts into the existing series of its kind, else into the series in the row. */
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
  const seriesType = attestation.override ? OVERRIDE : attestation.type;
  const [inserted] = await insertRow(db, {
    id,
    org_id: orgId,
    flow_id: flowId,
    trail_id: trailId,
    series_id: newSeries,
    series_type: seriesType,
    overridden_id: attestation.override?.overriddenId ?? null,
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
  if (inserted?.series_id !== newSeries) return;
  const { name, isCompliant } = attestation;
  await db
    .insertInto("attestation_series")
    .values({
      id: newSeries,
      org_id: orgId,
      flow_id: flowId,
      name,
      type: seriesType,
      is_compliant: Number(isCompliant),
    })
    .execute();
}

async function insertTargets(
  db: Database,
  {
    id,
    trailId,
    targets,
    commitSha,
  }: { id: string; trailId: string; targets: readonly string[]; commitSha: string | null },
): Promise<void> {
  const rows = targets.map((name) => ({
    attestation_id: id,
    trail_id: trailId,
    artifact_name: name,
    commit_sha: commitSha,
  }));
  if (rows.length > 0) await db.insertInto("attestation_targets").values(rows).execute();
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
