import * as z from "zod/mini";
import { fingerprint } from "../../../api/names.ts";
import type { attestCustom, attestSystem } from "../../../api/resources/attestation-kinds.ts";
import { shortText } from "../../../api/texts.ts";
import { describeIssues } from "../../../api/validation.ts";
import { below } from "../../judging/type-rules/problems.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { parseJson } from "../../kernel/json-text.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Call } from "../../operation/handler.ts";
import { findControl, unknownControlText } from "../controls/records.ts";
import { requireUsableType } from "../types/records.ts";
import type { Judgement } from "./attest.ts";

const FIELD = "attestation_data";

/** The required data of each type that the service defines. */
const SYSTEM_DATA = {
  decision: z.looseObject({ is_compliant: z.boolean() }),
  sbom: z.looseObject({
    format: shortText.check(z.minLength(1)),
    original_fingerprint: fingerprint,
    /** JSON, or the text of another format. */
    document: z.union([z.record(z.string(), z.unknown()), z.string()]),
  }),
};

/**
 * Judges data by the latest version of its custom type.
 *
 * @throws NotFound when there is no such type, Invalid when the data does not match its schema
 */
export async function judgeCustom(
  { typeName, attestationData }: Call<typeof attestCustom>["body"],
  { org, context: { store, typeEvaluator } }: { org: Organization; context: ServiceContext },
): Promise<Judgement> {
  const data = parsed(attestationData);
  const type = await store.readTogether((db) => requireUsableType(db, org, typeName));
  const verdict = await typeEvaluator.judge(org.id, type, JSON.stringify(data));
  const { mismatches, isCompliant, results, error } = verdict;
  if (Object.keys(mismatches).length > 0) throw invalidInput(below(FIELD, mismatches));
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

/** @throws Invalid when the data lacks what its type requires, or the control does not exist */
export async function judgeSystem(
  { typeName, control, attestationData }: Call<typeof attestSystem>["body"],
  { org, context: { store } }: { org: Organization; context: ServiceContext },
): Promise<Judgement> {
  const data = parsed(attestationData);
  const checked = SYSTEM_DATA[typeName].safeParse(data);
  if (!checked.success) {
    throw invalidInput(describeIssues(checked.error.issues, data, { prefix: `${FIELD}.`, root: FIELD }));
  }
  if (control && !(await findControl(store.read, org.id, control))) {
    throw invalidInput({ control: unknownControlText(org, control) });
  }
  return {
    type: `system:${typeName}`,
    isCompliant: checked.data["is_compliant"] !== false,
    shown: { attestation_data: data },
  };
}

/** Data that was sent as JSON text is what the text says. */
function parsed(data: unknown): unknown {
  return typeof data === "string" ? parseJson(data, FIELD) : data;
}
