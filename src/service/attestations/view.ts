import type { AttestationRecord } from "../../api/resources/attestation-record.ts";
import { OVERRIDE } from "../evidence/attestations/series.ts";
import type { StoredAttestation } from "../evidence/attestations/stored.ts";
import { withOrigin } from "../evidence/origins/origins.ts";
import { fieldsOf } from "../kernel/json-column.ts";
import type { Links } from "../kernel/links.ts";

/** The version of what a record of a kind looks like. */
const SCHEMA_VERSIONS: Readonly<Record<string, number>> = { snyk: 2 };
const FIRST_SCHEMA_VERSION = 1;

/** The type that a record shows. Only the details of an override say which type it overrides. */
export function shownType({ type, details }: Pick<StoredAttestation["row"], "type" | "details">): string {
  return typeof fieldsOf(details)["original_attestation_type"] === "string" ? OVERRIDE : type;
}

/** A stored attestation as the interface shows it. */
export function recordView(
  { row, flowName, trailName, attachments, origin }: StoredAttestation,
  { org, links }: { org: string; links: Links },
): AttestationRecord {
  const [onlyFile, ...furtherFiles] = attachments;
  const self = links.api(["attestations", org], { attestation_id: row.id });
  const evidence = links.apiEvidence(org, flowName, trailName, row.id);
  return {
    ...fieldsOf(row.details),
    schemaVersion: SCHEMA_VERSIONS[row.type] ?? FIRST_SCHEMA_VERSION,
    attestationId: row.id,
    attestationName: row.name,
    attestationType: shownType(row),
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
      self: { href: self },
      ...(onlyFile ? { evidence: { href: evidence } } : {}),
    },
  };
}
