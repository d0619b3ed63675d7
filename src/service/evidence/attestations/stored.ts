import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { resultsIn } from "../../judging/facts.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import type { Links } from "../../kernel/links.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { isAmong, listed, listedJson } from "../../store/dialect.ts";
import { OVERRIDE } from "../../store/evidence-tables.ts";
import { idsOf } from "../../store/ids.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import { originsOf, withOrigin } from "../origins/origins.ts";

export type StoredAttestation = Awaited<ReturnType<typeof withAttachments>>[number];

export function selectStored(db: Database) {
  return db
    .selectFrom("attestations")
    .innerJoin("trails", "trails.id", "attestations.trail_id")
    .innerJoin("flows", "flows.id", "attestations.flow_id")
    .select(["attestations.id", "attestations.sequence", "attestations.trail_id", "attestations.name"])
    .select(["attestations.type", "attestations.is_compliant", "attestations.artifact_fingerprint"])
    .select(["attestations.commit_sha", "attestations.details", "attestations.created_by"])
    .select(["attestations.created_at", "trails.name as trail_name", "flows.name as flow_name"]);
}

type StoredRow = Awaited<ReturnType<ReturnType<typeof selectStored>["execute"]>>[number];

export async function withAttachments(db: Database, rows: readonly StoredRow[]) {
  const ids = idsOf(rows);
  const files = await attachmentsOf(db, ids);
  const origins = await originsOf(db, "attestation", ids);
  return rows.map(({ trail_name, flow_name, ...row }) => ({
    row,
    flowName: flow_name,
    trailName: trail_name,
    attachments: files.get(row.id) ?? [],
    origin: origins.get(row.id),
  }));
}

const selectAttachments = prepared((db, given: Given<{ attestationIds: string }>) =>
  db
    .selectFrom("attachments")
    .select(["attestation_id", "name", "media_type as mediaType", "size", "sha256"])
    .where("attestation_id", "in", listedJson(given("attestationIds")))
    .orderBy("attestation_id")
    .orderBy("position"),
);

async function attachmentsOf(db: Database, attestationIds: readonly string[]) {
  const rows = await selectAttachments(db, { attestationIds: JSON.stringify(attestationIds) });
  return valuesByKey(rows, ({ attestation_id, ...file }) => [attestation_id, file]);
}

/** Attestations of a name about an artifact in a flow, by fingerprint or by name and commit. Newest first. */
export async function attestationsOfArtifact(
  db: Database,
  { flowId, fingerprint, name }: { flowId: string; fingerprint: string; name: string },
): Promise<StoredAttestation[]> {
  const rows = await selectStored(db)
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
          selectFrom("attestation_targets as target")
            .innerJoin("artifacts", (join) =>
              join
                .onRef("artifacts.trail_id", "=", "target.trail_id")
                .onRef("artifacts.template_name", "=", "target.artifact_name")
                .onRef("artifacts.commit_sha", "=", "target.commit_sha"),
            )
            .select("artifacts.id")
            .whereRef("target.attestation_id", "=", "attestations.id")
            .where("attestations.artifact_fingerprint", "is", null)
            .where("artifacts.fingerprint", "=", fingerprint),
        ),
      ]),
    )
    .orderBy("attestations.sequence", "desc")
    .execute();
  return withAttachments(db, rows);
}

/** Newest first. */
export async function attestationsOfTrail(
  db: Database,
  { trailId, name }: { trailId: string; name: string },
): Promise<StoredAttestation[]> {
  const rows = await selectStored(db)
    .where("attestations.trail_id", "=", trailId)
    .where("attestations.name", "=", name)
    .where("attestations.artifact_fingerprint", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("attestation_targets as target")
            .select("target.artifact_name")
            .whereRef("target.attestation_id", "=", "attestations.id"),
        ),
      ),
    )
    .orderBy("attestations.sequence", "desc")
    .execute();
  return withAttachments(db, rows);
}

export async function findAttestation(db: Database, orgId: string, id: string, flowIds?: readonly string[]) {
  const rows = await selectStored(db)
    .where("attestations.id", "=", id)
    .where("attestations.org_id", "=", orgId)
    .where(isAmong("attestations.flow_id", flowIds))
    .execute();
  const [found] = await withAttachments(db, rows);
  return found;
}

/** In any order. */
export async function attestationsWithIds(
  db: Database,
  ids: readonly string[],
): Promise<StoredAttestation[]> {
  const rows = await selectStored(db).where("attestations.id", "in", listed(ids)).execute();
  return withAttachments(db, rows);
}

/** Schema version of a kind's record. */
const SCHEMA_VERSIONS: Readonly<Record<string, number>> = { snyk: 2 };
const FIRST_SCHEMA_VERSION = 1;

/** The type of a record. Only the details of an override have the overridden type. */
export function shownType(type: string, details: Readonly<Record<string, unknown>>): string {
  return typeof details["original_attestation_type"] === "string" ? OVERRIDE : type;
}

export function recordView(
  { row, flowName, trailName, attachments, origin }: StoredAttestation,
  { org, links }: { org: string; links: Links },
): AttestationRecord {
  const [onlyFile, ...furtherFiles] = attachments;
  const details = fieldsOf(row.details);
  return {
    ...resultsIn(row.type, details),
    schemaVersion: SCHEMA_VERSIONS[row.type] ?? FIRST_SCHEMA_VERSION,
    attestationId: row.id,
    attestationName: row.name,
    attestationType: shownType(row.type, details),
    isCompliant: row.is_compliant === 1,
    createdAt: row.created_at,
    ...(row.artifact_fingerprint === null ? {} : { artifactFingerprint: row.artifact_fingerprint }),
    ...(onlyFile && furtherFiles.length === 0 ? { evidenceArchiveFingerprint: onlyFile.sha256 } : {}),
    hasAuditPackage: attachments.length > 0,
    htmlUrl: links.attestation(org, flowName, trailName, row.id),
    reportedBy: row.created_by,
    ...withOrigin(origin),
    flowName,
    trailName,
    _links: {
      self: { href: links.apiAttestation(org, row.id) },
      ...(onlyFile ? { evidence: { href: links.apiEvidence(org, flowName, trailName, row.id) } } : {}),
    },
  };
}
