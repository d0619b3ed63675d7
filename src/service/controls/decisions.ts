import { fieldsOf } from "../kernel/json-column.ts";
import type { Occasion } from "../kernel/request-context.ts";
import { valuesByKey } from "../kernel/values-by-key.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

/** The type of an attestation that decides about a control. */
export const DECISION_TYPE = "system:decision";

/** An attestation that was just recorded. */
interface RecordedAttestation {
  id: string;
  type: string;
  isCompliant: boolean;
  artifactFingerprint: string | null;
  overriddenId?: string | undefined;
  /** The fields that are only ever shown, as JSON. */
  details: string;
}

/** Notes which control an attestation decides about, if it decides about one. An override decides about the same. */
export async function noteDecision(
  db: Database,
  attestation: RecordedAttestation,
  { orgId, now }: Occasion,
): Promise<void> {
  if (attestation.type !== DECISION_TYPE) return;
  const control = await controlOf(db, attestation);
  if (control === undefined) return;
  const known = await db
    .selectFrom("controls")
    .select("version")
    .where("org_id", "=", orgId)
    .where("identifier", "=", control)
    .executeTakeFirst();
  await db
    .insertInto("control_decisions")
    .values({
      attestation_id: attestation.id,
      org_id: orgId,
      control,
      control_version: known?.version ?? null,
      is_compliant: Number(attestation.isCompliant),
      artifact_fingerprint: attestation.artifactFingerprint,
      created_at: now,
    })
    .execute();
}

async function controlOf(
  db: Database,
  { overriddenId, details }: RecordedAttestation,
): Promise<string | undefined> {
  const { control } = fieldsOf(details);
  if (typeof control === "string" && control !== "") return control;
  if (overriddenId === undefined) return undefined;
  const overridden = await db
    .selectFrom("control_decisions")
    .select("control")
    .where("attestation_id", "=", overriddenId)
    .executeTakeFirst();
  return overridden?.control;
}

/** The decisions for artifacts, by fingerprint: those that name it, wherever they were recorded. */
export async function decisionsOf(
  db: Database,
  orgId: string,
  fingerprints: readonly string[],
): Promise<Map<string, DecisionFact[]>> {
  const rows = await db
    .selectFrom("control_decisions as decision")
    .innerJoin("attestations", "attestations.id", "decision.attestation_id")
    .select(["decision.control", "decision.artifact_fingerprint", "decision.is_compliant"])
    .select(["attestations.sequence", "attestations.name"])
    .where("decision.org_id", "=", orgId)
    .where("decision.artifact_fingerprint", "in", listed(fingerprints))
    .execute();
  return valuesByKey(
    rows,
    ({ artifact_fingerprint }) => artifact_fingerprint ?? "",
    ({ sequence, control, name, is_compliant }) => ({
      sequence,
      control,
      name,
      compliant: is_compliant === 1,
    }),
  );
}

/** The controls that decisions are about, by the ids of the attestations. */
export async function controlsDecided(
  db: Database,
  attestationIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (attestationIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("control_decisions")
    .select(["attestation_id", "control"])
    .where("attestation_id", "in", listed(attestationIds))
    .execute();
  return new Map(rows.map(({ attestation_id, control }) => [attestation_id, control]));
}

/** A decision about a control for an artifact, or for all of its trail. */
export interface DecisionFact {
  sequence: number;
  control: string;
  name: string;
  compliant: boolean;
}
