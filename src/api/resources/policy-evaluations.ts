import * as z from "zod/mini";
import type { Camel } from "../wire-names.ts";

/** A condition in the expression language of policies, without the `${{ }}` around it. */
export const policyExpression = z.looseObject({ text: z.string() });

/** What a rule asks for: the fields of its type. */
const ruleDefinition = z.looseObject({
  /** Of `provenance` and `trail-compliance`. */
  required: z.optional(z.boolean()),
  exceptions: z.optional(z.array(z.looseObject({ if: policyExpression }))),
  /** Of `attestation`: for which artifacts it holds; null for every one. */
  if: z.nullish(policyExpression),
  /** The name of the attestation, or `*` for any. */
  name: z.nullish(z.string()),
  /** The kind of attestation, or `*` for any. */
  type: z.nullish(z.string()),
  must_be_compliant: z.nullish(z.boolean()),
  /** The identifier of the control that a decision must be about. */
  for_control: z.nullish(z.string()),
  /** For `provenance` and `attestation`: a condition that the record must also meet. Absent if there is none. */
  must_meet: z.optional(policyExpression),
});

/** What one rule came to for one flow and trail of the artifact. */
const ruleResolution = z.looseObject({
  /**
   * `rule_satisfied`, `rule_not_applicable`, or why it fails: `missing_provenance`, `no_provenance`,
   * `non_compliant_in_trail`, `missing_attestation`, `non_compliant_attestation`, `legacy_flow`.
   */
  type: z.string(),
  context: z.nullish(
    z.looseObject({
      flow_name: z.nullish(z.string()),
      trail_name: z.nullish(z.string()),
      /** The status of the artifact in the trail, for rules about it. */
      artifact_status: z.nullish(z.string()),
      for_control: z.nullish(z.string()),
      /** The condition of `must_meet` that the record does not meet. */
      unmet: z.optional(z.string()),
    }),
  ),
});

const ruleEvaluation = z.looseObject({
  rule: z.looseObject({
    /** `provenance`, `trail-compliance` or `attestation` */
    type: z.string(),
    definition: ruleDefinition,
  }),
  /** Null when the rule asks for nothing here. */
  satisfied: z.nullish(z.boolean()),
  ignored: z.nullish(z.boolean()),
  resolutions: z.optional(z.array(ruleResolution)),
});

/** What one policy came to for one artifact. */
export const policyEvaluation = z.looseObject({
  policy_name: z.string(),
  policy_version: z.optional(z.int()),
  /** `COMPLIANT` or `NON-COMPLIANT` */
  status: z.string(),
  /** In the order of the policy: provenance, trail compliance, then each attestation it asks for. */
  rule_evaluations: z.optional(z.array(ruleEvaluation)),
});
export type PolicyEvaluation = Camel<z.infer<typeof policyEvaluation>>;
