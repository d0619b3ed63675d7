import * as z from "zod/mini";
import type { Camel } from "../wire-names.ts";

/** Condition in the expression language of policies, without the enclosing `${{ }}`. */
export const policyExpression = z.looseObject({ text: z.string() });

/** Definition of the rule, with the fields of its type. */
const ruleDefinition = z.looseObject({
  /** For `provenance` and `trail-compliance`: whether it is required. */
  required: z.optional(z.boolean()),
  exceptions: z.optional(z.array(z.looseObject({ if: policyExpression }))),
  /** For `attestation`: condition for artifacts that need it; null for all. */
  if: z.nullish(policyExpression),
  /** Name of the attestation, or `*` for any. */
  name: z.nullish(z.string()),
  /** Type of the attestation, or `*` for any. */
  type: z.nullish(z.string()),
  must_be_compliant: z.nullish(z.boolean()),
  /** Identifier of the control that a decision must be about. */
  for_control: z.nullish(z.string()),
  /** Decision policy that must have decided, as `IDENTIFIER` or `IDENTIFIER@VERSION`. Absent if any decision counts. */
  decided_by: z.optional(z.string()),
  /** For `provenance` and `attestation`: a condition that the record must also meet. Absent if there is none. */
  must_meet: z.optional(policyExpression),
});

/** Result of a rule for one flow and trail of the artifact. */
const ruleResolution = z.looseObject({
  /**
   * `rule_satisfied`, `rule_not_applicable`, or the reason for the failure: `missing_provenance`, `no_provenance`,
   * `non_compliant_in_trail`, `missing_attestation`, `non_compliant_attestation`, `legacy_flow`.
   */
  type: z.string(),
  context: z.nullish(
    z.looseObject({
      flow_name: z.nullish(z.string()),
      trail_name: z.nullish(z.string()),
      /** Status of the artifact in the trail, for rules about it. */
      artifact_status: z.nullish(z.string()),
      for_control: z.nullish(z.string()),
      /** Decision policy that must have decided. */
      decided_by: z.optional(z.string()),
      /** Condition of `must_meet` that the record does not meet. */
      unmet: z.optional(z.string()),
    }),
  ),
});

const ruleEvaluation = z.looseObject({
  rule: z.looseObject({
    /** `provenance`, `trail-compliance` or `attestation`. */
    type: z.string(),
    definition: ruleDefinition,
  }),
  /** Whether the rule is satisfied; null if it requires nothing here. */
  satisfied: z.nullish(z.boolean()),
  ignored: z.nullish(z.boolean()),
  resolutions: z.optional(z.array(ruleResolution)),
});

/** Result of a policy for an artifact. */
export const policyEvaluation = z.looseObject({
  policy_name: z.string(),
  policy_version: z.optional(z.int()),
  /** `COMPLIANT` or `NON-COMPLIANT`. */
  status: z.string(),
  /** Results in the order of the policy: provenance, trail compliance, then each required attestation. */
  rule_evaluations: z.optional(z.array(ruleEvaluation)),
});
export type PolicyEvaluation = Camel<z.infer<typeof policyEvaluation>>;
