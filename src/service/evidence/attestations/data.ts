import type { SystemType } from "../../../api/resources/attestation-type.ts";
import { SYSTEM_TYPE_DATA, SYSTEM_TYPE_VERSION } from "../../../api/resources/system-types.ts";
import { asObject } from "../../../api/untyped.ts";
import { describeIssues } from "../../../api/validation.ts";
import { below } from "../../judging/type-rules/problems.ts";
import type { Caller, Organization } from "../../kernel/caller.ts";
import { Forbidden, invalidInput } from "../../kernel/errors.ts";
import { parseJson } from "../../kernel/json-text.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Call } from "../../operation/handler.ts";
import { DECISION_TYPE } from "../controls/decisions.ts";
import { findControl, unknownControlText } from "../controls/records.ts";
import { requireUsableType } from "../types/records.ts";
import type { Evaluation } from "./attest.ts";

const FIELD = "attestation_data";

/** Types whose data contains the result. */
const WITH_RESULT: readonly SystemType[] = ["generic", "decision"];

/**
 * Evaluates data by the latest version of its custom type.
 *
 * @throws NotFound for an unknown type, Invalid for data that does not match its schema
 */
export async function evaluateCustom(
  { typeName, attestationData }: Call<"attestCustom">["body"],
  { org, context: { store, typeEvaluator } }: { org: Organization; context: ServiceContext },
): Promise<Evaluation> {
  const data = parsed(attestationData);
  const type = await store.readTogether((db) => requireUsableType(db, org, typeName));
  const verdict = await typeEvaluator.evaluate(org.id, type, JSON.stringify(data));
  const { mismatches, isCompliant, results, error } = verdict;
  if (Object.keys(mismatches).length > 0)
    throw invalidInput(below(FIELD, mismatches), { code: "attestation.schema_mismatch" });
  return {
    type: `custom:${typeName}`,
    isCompliant,
    shown: {
      attestation_data: data,
      type_version: type.version,
      rule_results: results,
      ...(error === undefined ? {} : { evaluation_error: error }),
    },
  };
}

/**
 * Checks data of a system type. Facts are compliant whatever they say, except those that contain their own result.
 *
 * @throws Invalid for data that does not match the type, or an unknown control; Forbidden for a decision by a limited
 * caller
 */
export async function evaluateSystem(
  { typeName, control, attestationData }: Call<"attestSystem">["body"],
  { org, caller, context: { store } }: { org: Organization; caller: Caller; context: ServiceContext },
): Promise<Evaluation> {
  const type = `system:${typeName}`;
  // A decision counts in every flow of its artifact, not only in this one.
  if (type === DECISION_TYPE && caller.scope !== null) throw new Forbidden();
  const data = parsed(attestationData);
  const checked = SYSTEM_TYPE_DATA[typeName].data.safeParse(data);
  if (!checked.success) {
    const errors = describeIssues(checked.error.issues, data, { prefix: `${FIELD}.`, root: FIELD });
    throw invalidInput(errors, { code: "attestation.schema_mismatch" });
  }
  if (isOfService(data)) {
    const problem = "Only the service may record evaluations as its own: use createEvaluation";
    throw invalidInput(
      { [`${FIELD}.evaluation.evaluated_by`]: problem },
      { code: "decision.evaluator_reserved" },
    );
  }
  if (control && !(await findControl(store.read, org.id, control))) {
    throw invalidInput({ control: unknownControlText(org, control) }, { code: "control.not_found" });
  }
  return {
    type,
    isCompliant: !WITH_RESULT.includes(typeName) || checked.data["is_compliant"] === true,
    shown: { attestation_data: data, type_version: SYSTEM_TYPE_VERSION },
  };
}

/** Whether a decision claims to be of a policy that the service evaluated. */
function isOfService(data: unknown): boolean {
  return asObject(asObject(data)["evaluation"])["evaluated_by"] === "service";
}

function parsed(data: unknown): unknown {
  return typeof data === "string" ? parseJson(data, FIELD) : data;
}
