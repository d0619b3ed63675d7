import type { EvaluatedBy } from "../../judging/policies/decided-by.ts";
import type { RequestContext } from "../../kernel/caller.ts";
import { Invalid } from "../../kernel/errors.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

export const DECISION_TYPE = "system:decision";

/** A control that accepts a decision. */
export interface DecidedControl {
  identifier: string;
  /** Its current version. Null if there is no such control. */
  version: number | null;
  evaluatedBy: EvaluatedBy | undefined;
}

/**
 * Returns a control that a decision is about. A control that is bound to a decision policy accepts only decisions that
 * the service evaluated by the latest version of that policy, because a former one may allow more.
 *
 * @param evaluatedBy the policy by which the service evaluated the decision; undefined for what a caller submitted
 * @throws Invalid for a control that is bound to another policy or version
 */
export async function decidedControl(
  db: Database,
  {
    orgId,
    identifier,
    evaluatedBy,
  }: { orgId: string; identifier: string; evaluatedBy?: EvaluatedBy | undefined },
): Promise<DecidedControl> {
  const known = await db
    .selectFrom("controls")
    .leftJoin("decision_policies as required", (join) =>
      join
        .onRef("required.org_id", "=", "controls.org_id")
        .onRef("required.identifier", "=", "controls.decision_policy"),
    )
    .select(["controls.version", "controls.decision_policy", "required.version as latest"])
    .where("controls.org_id", "=", orgId)
    .where("controls.identifier", "=", identifier)
    .executeTakeFirst();
  const required = known?.decision_policy ?? undefined;
  const isRequired = evaluatedBy?.identifier === required && evaluatedBy?.version === known?.latest;
  if (required !== undefined && !isRequired) {
    throw new Invalid(
      "control.bound_to_policy",
      `Control '${identifier}' is bound to decision policy '${required}': it accepts only decisions that the service ` +
        "evaluates by the latest version of that policy",
    );
  }
  return { identifier, version: known?.version ?? null, evaluatedBy };
}

interface RecordedDecision {
  id: string;
  isCompliant: boolean;
  artifactFingerprint: string | null;
  control: DecidedControl;
}

export async function recordDecision(
  db: Database,
  { id, isCompliant, artifactFingerprint, control }: RecordedDecision,
  { orgId, now }: RequestContext,
): Promise<void> {
  await db
    .insertInto("control_decisions")
    .values({
      attestation_id: id,
      org_id: orgId,
      control: control.identifier,
      control_version: control.version,
      decision_policy: control.evaluatedBy?.identifier ?? null,
      decision_policy_version: control.evaluatedBy?.version ?? null,
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
    .leftJoin("control_decisions as decision", "decision.attestation_id", "attestations.id")
    .select(["kept.control", "kept.fingerprint", "attestations.is_compliant"])
    .select(["decision.decision_policy", "decision.decision_policy_version"])
    .select(["attestations.id", "attestations.sequence", "attestations.name"])
    .where("kept.fingerprint", "in", listed(fingerprints))
    .where("kept.control", "!=", "")
    .where("attestations.org_id", "=", orgId)
    .execute();
  return valuesByKey(rows, ({ fingerprint, is_compliant, id, sequence, name, control, ...row }) => [
    fingerprint,
    { id, sequence, name, control, compliant: is_compliant === 1, evaluatedBy: evaluatedBy(row) },
  ]);
}

export async function controlsDecided(db: Database, attestationIds: readonly string[]) {
  if (attestationIds.length === 0)
    return new Map<string, Pick<DecidedControl, "identifier" | "evaluatedBy">>();
  const rows = await db
    .selectFrom("control_decisions")
    .select(["attestation_id", "control", "decision_policy", "decision_policy_version"])
    .where("attestation_id", "in", listed(attestationIds))
    .execute();
  return new Map(
    rows.map((row) => [row.attestation_id, { identifier: row.control, evaluatedBy: evaluatedBy(row) }]),
  );
}

function evaluatedBy({
  decision_policy: identifier,
  decision_policy_version: version,
}: {
  decision_policy: string | null;
  decision_policy_version: number | null;
}): EvaluatedBy | undefined {
  return identifier === null || version === null ? undefined : { identifier, version };
}
