import type { RepoInfo } from "../../api/provenance.ts";
import type { ReceivedFile } from "../attachments.ts";
import type { AttestationFact } from "../compliance/evaluate.ts";
import { newId } from "../store/ids.ts";
import { listed } from "../store/json-rows.ts";
import type { Database } from "../store/tables.ts";
import { noteAttestation } from "./attestation-event.ts";
import { ensureSeries } from "./attestation-series.ts";
import { noteDecision } from "./decisions.ts";
import type { Occasion } from "./occasion.ts";
import { captureRepo } from "./repos.ts";
import { linkRepo } from "./trails.ts";

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
