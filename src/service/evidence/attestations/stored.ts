import { isAmong, listed } from "../../store/dialect.ts";
import type { AttestationRow, Database } from "../../store/tables.ts";
import { type Origin, originsOf } from "../origins/origins.ts";

/** A stored attestation with its flow, its trail and its attachments. */
export interface StoredAttestation {
  row: AttestationRow;
  flowName: string;
  trailName: string;
  attachments: StoredFile[];
  origin: Origin | undefined;
}

interface StoredFile {
  name: string;
  mediaType: string;
  size: number;
  /** In hex. */
  sha256: string;
}

/** Attestations with what is shown of them, for the caller to choose among and to order. */
export function selectStored(db: Database) {
  return db
    .selectFrom("attestations")
    .innerJoin("trails", "trails.id", "attestations.trail_id")
    .innerJoin("flows", "flows.id", "attestations.flow_id")
    .selectAll("attestations")
    .select(["trails.name as trail_name", "flows.name as flow_name"]);
}

type StoredRow = AttestationRow & { trail_name: string; flow_name: string };

/** Adds the attachments to rows of `selectStored`. */
export async function withAttachments(
  db: Database,
  rows: readonly StoredRow[],
): Promise<StoredAttestation[]> {
  const ids = rows.map(({ id }) => id);
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

async function attachmentsOf(
  db: Database,
  attestationIds: readonly string[],
): Promise<Map<string, StoredFile[]>> {
  const found = new Map<string, StoredFile[]>();
  const rows = await db
    .selectFrom("attachments")
    .select(["attestation_id", "name", "media_type", "size", "sha256"])
    .where("attestation_id", "in", listed(attestationIds))
    .orderBy("attestation_id")
    .orderBy("position")
    .execute();
  for (const { attestation_id, media_type, ...file } of rows) {
    const ofAttestation = found.get(attestation_id) ?? [];
    ofAttestation.push({ ...file, mediaType: media_type });
    found.set(attestation_id, ofAttestation);
  }
  return found;
}

/**
 * The attestations of a name about an artifact in a flow, newest first: those that name its fingerprint, and
 * those that name it by its name in the template and its commit.
 */
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

/** The attestations of a name about a trail as a whole, newest first. */
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

/** The attestation of an id in an organization, where flows are given in one of them. */
export async function findAttestation(
  db: Database,
  orgId: string,
  id: string,
  flowIds?: readonly string[],
): Promise<StoredAttestation | undefined> {
  const rows = await selectStored(db)
    .where("attestations.id", "=", id)
    .where("attestations.org_id", "=", orgId)
    .where(isAmong("attestations.flow_id", flowIds))
    .execute();
  const [found] = await withAttachments(db, rows);
  return found;
}
