import type { RequestContext } from "../../kernel/caller.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

export const DECISION_TYPE = "system:decision";

interface RecordedDecision {
  id: string;
  isCompliant: boolean;
  artifactFingerprint: string | null;
  control: string;
}

/** Records a decision with the control's current version. */
export async function recordDecision(
  db: Database,
  { id, isCompliant, artifactFingerprint, control }: RecordedDecision,
  { orgId, now }: RequestContext,
): Promise<void> {
  const known = await db
    .selectFrom("controls")
    .select("version")
    .where("org_id", "=", orgId)
    .where("identifier", "=", control)
    .executeTakeFirst();
  await db
    .insertInto("control_decisions")
    .values({
      attestation_id: id,
      org_id: orgId,
      control,
      control_version: known?.version ?? null,
      is_compliant: Number(isCompliant),
      artifact_fingerprint: artifactFingerprint,
      created_at: now,
    })
    .execute();
}

interface PossibleDecision {
  type: string;
  overriddenId: string | null;
  /** Fields that are only displayed, as JSON. */
  details: string;
}

/** The control of a decision or of an override of one. */
export async function controlDecided(
  db: Database,
  { type, overriddenId, details }: PossibleDecision,
): Promise<string | undefined> {
  if (type !== DECISION_TYPE) return undefined;
  const { control } = fieldsOf(details);
  if (typeof control === "string" && control !== "") return control;
  if (overriddenId === null) return undefined;
  const overridden = await db
    .selectFrom("control_decisions")
    .select("control")
    .where("attestation_id", "=", overriddenId)
    .executeTakeFirst();
  return overridden?.control;
}

/** Decisions that name the artifacts in any flow, by fingerprint. */
export async function decisionsOf(db: Database, orgId: string, fingerprints: readonly string[]) {
  const rows = await db
    .selectFrom("latest_attestations as kept")
    .innerJoin("attestations", "attestations.sequence", "kept.attestation_sequence")
    .select(["kept.control", "kept.fingerprint", "attestations.is_compliant"])
    .select(["attestations.id", "attestations.sequence", "attestations.name"])
    .where("kept.fingerprint", "in", listed(fingerprints))
    .where("kept.control", "!=", "")
    .where("attestations.org_id", "=", orgId)
    .execute();
  return valuesByKey(rows, ({ fingerprint, is_compliant, ...decision }) => [
    fingerprint,
    { ...decision, compliant: is_compliant === 1 },
  ]);
}

export async function controlsDecided(db: Database, attestationIds: readonly string[]) {
  if (attestationIds.length === 0) return new Map<string, string>();
  const rows = await db
    .selectFrom("control_decisions")
    .select(["attestation_id", "control"])
    .where("attestation_id", "in", listed(attestationIds))
    .execute();
  return new Map(rows.map(({ attestation_id, control }) => [attestation_id, control]));
}
