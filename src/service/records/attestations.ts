import type { RepoInfo } from "../../api/provenance.ts";
import type { ReceivedFile } from "../attachments.ts";
import type { AttestationFact } from "../compliance/evaluate.ts";
import { newId } from "../store/ids.ts";
import type { AttestationRow, Database } from "../store/tables.ts";
import type { Occasion } from "./occasion.ts";
import { captureRepo } from "./repos.ts";
import { linkRepo } from "./trails.ts";

/** An attestation to record. */
export interface NewAttestation {
  trailId: string;
  name: string;
  type: string;
  isCompliant: boolean;
  artifactFingerprint: string | null;
  targetArtifacts: readonly string[];
  commitSha: string | null;
  repoInfo: RepoInfo | null | undefined;
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
  await db
    .insertInto("attestations")
    .values({
      id,
      trail_id: trailId,
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
}

/** Every attestation of a trail, as far as compliance needs it. */
export async function attestationFacts(db: Database, trailId: string): Promise<AttestationFact[]> {
  const targets = await db
    .selectFrom("attestation_targets")
    .select(["attestation_id", "artifact_name"])
    .where("trail_id", "=", trailId)
    .execute();
  const targetsOf = Map.groupBy(targets, ({ attestation_id }) => attestation_id);
  const rows = await db
    .selectFrom("attestations")
    .select(["sequence", "id", "name", "type", "is_compliant", "artifact_fingerprint", "commit_sha"])
    .where("trail_id", "=", trailId)
    .execute();
  return rows.map((row) => ({
    sequence: row.sequence,
    id: row.id,
    name: row.name,
    type: row.type,
    compliant: row.is_compliant === 1,
    fingerprint: row.artifact_fingerprint,
    targets: (targetsOf.get(row.id) ?? []).map(({ artifact_name }) => artifact_name),
    commitSha: row.commit_sha,
  }));
}

/** A stored attestation with its trail and its attachments. */
export interface StoredAttestation {
  row: AttestationRow;
  trailName: string;
  attachments: { name: string; sha256: string }[];
}

/**
 * The attestations of a name about an artifact in a flow, newest first: those that name its fingerprint, and
 * those that claim it by its name in the template and its commit.
 */
export async function attestationsOfArtifact(
  db: Database,
  { flowId, fingerprint, name }: { flowId: string; fingerprint: string; name: string },
): Promise<StoredAttestation[]> {
  const rows = await db
    .selectFrom("attestations")
    .innerJoin("trails", "trails.id", "attestations.trail_id")
    .selectAll("attestations")
    .select("trails.name as trail_name")
    .where("attestations.name", "=", name)
    .where("attestations.trail_id", "in", (query) =>
      query
        .selectFrom("artifacts as reported")
        .select("reported.trail_id")
        .where("reported.flow_id", "=", flowId)
        .where("reported.fingerprint", "=", fingerprint),
    )
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb("attestations.artifact_fingerprint", "=", fingerprint),
        exists(
          selectFrom("attestation_targets as claim")
            .innerJoin("artifacts", (join) =>
              join
                .onRef("artifacts.trail_id", "=", "claim.trail_id")
                .onRef("artifacts.template_name", "=", "claim.artifact_name")
                .onRef("artifacts.commit_sha", "=", "claim.commit_sha"),
            )
            .select("artifacts.id")
            .whereRef("claim.attestation_id", "=", "attestations.id")
            .where("attestations.artifact_fingerprint", "is", null)
            .where("artifacts.fingerprint", "=", fingerprint),
        ),
      ]),
    )
    .orderBy("attestations.sequence", "desc")
    .execute();
  const ids = rows.map(({ id }) => id);
  const attachments =
    ids.length === 0
      ? []
      : await db
          .selectFrom("attachments")
          .select(["attestation_id", "name", "sha256"])
          .where("attestation_id", "in", ids)
          .orderBy("position")
          .execute();
  const attachmentsOf = Map.groupBy(attachments, ({ attestation_id }) => attestation_id);
  return rows.map(({ trail_name, ...row }) => ({
    row,
    trailName: trail_name,
    attachments: attachmentsOf.get(row.id) ?? [],
  }));
}
