import * as z from "zod/mini";
import { fingerprint } from "../../../api/names.ts";
import { shortText } from "../../../api/texts.ts";
import { describeIssues } from "../../../api/validation.ts";
import { below } from "../../judging/type-rules/problems.ts";
import type { Organization } from "../../kernel/caller.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { parseJson } from "../../kernel/json-text.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Call } from "../../operation/handler.ts";
import { findControl, unknownControlText } from "../controls/records.ts";
import { requireUsableType } from "../types/records.ts";
import type { Evaluation } from "./attest.ts";

const FIELD = "attestation_data";

const SYSTEM_DATA = {
  decision: z.looseObject({ is_compliant: z.boolean() }),
  sbom: z.looseObject({
    format: shortText.check(z.minLength(1)),
    original_fingerprint: fingerprint,
    /** JSON, or text of another format. */
    document: z.union([z.record(z.string(), z.unknown()), z.string()]),
  }),
};

/** The system types with the JSON Schema of their data. */
export const SYSTEM_TYPES = [
  {
    name: "decision",
    description: "A decision about a control",
    versions: [
      {
        version: 1,
        typeSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          required: ["is_compliant"],
          properties: {
            is_compliant: { type: "boolean", description: "Whether the artifact meets the control" },
          },
        },
      },
    ],
  },
  {
    name: "sbom",
    description: "A software bill of materials",
    versions: [
      {
        version: 1,
        typeSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          required: ["format", "original_fingerprint", "document"],
          properties: {
            format: { type: "string", description: "The format, such as cyclonedx-json" },
            original_fingerprint: { type: "string", description: "The sha256 of the submitted file" },
            document: {
              type: ["object", "string"],
              description: "The document as JSON, or as text for other formats",
            },
          },
        },
      },
    ],
  },
];

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

/** @throws Invalid if required data is missing or the control does not exist */
export async function evaluateSystem(
  { typeName, control, attestationData }: Call<"attestSystem">["body"],
  { org, context: { store } }: { org: Organization; context: ServiceContext },
): Promise<Evaluation> {
  const data = parsed(attestationData);
  const checked = SYSTEM_DATA[typeName].safeParse(data);
  if (!checked.success) {
    const errors = describeIssues(checked.error.issues, data, { prefix: `${FIELD}.`, root: FIELD });
    throw invalidInput(errors, { code: "attestation.schema_mismatch" });
  }
  if (control && !(await findControl(store.read, org.id, control))) {
    throw invalidInput({ control: unknownControlText(org, control) }, { code: "control.not_found" });
  }
  return {
    type: `system:${typeName}`,
    isCompliant: checked.data["is_compliant"] !== false,
    shown: { attestation_data: data },
  };
}

function parsed(data: unknown): unknown {
  return typeof data === "string" ? parseJson(data, FIELD) : data;
}
