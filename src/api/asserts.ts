import * as z from "zod/mini";
import { fingerprint } from "./names.ts";
import { defineOperation } from "./operation.ts";
import type { Camel } from "./wire-names.ts";

const attestationStatus = z.looseObject({
  attestation_name: z.string(),
  attestation_type: z.nullish(z.string()),
  /** `MISSING` or `COMPLETE` */
  status: z.nullish(z.string()),
  is_compliant: z.nullish(z.boolean()),
  /** Not asked for by the template. */
  unexpected: z.optional(z.boolean()),
});

const complianceStatus = z.looseObject({
  artifact_fingerprint: z.nullish(z.string()),
  /** `MISSING`, `INCOMPLETE`, `COMPLIANT` or `NON-COMPLIANT` */
  status: z.optional(z.string()),
  is_compliant: z.nullish(z.boolean()),
  attestations_statuses: z.optional(z.array(attestationStatus)),
  evaluated_at: z.nullish(z.number()),
  unexpected: z.optional(z.boolean()),
});

const flowVerdict = z.looseObject({
  flow: z.nullish(z.string()),
  trail: z.nullish(z.string()),
  compliant: z.boolean(),
  compliance_status: z.nullish(complianceStatus),
  html_url: z.nullish(z.string()),
});

const ruleEvaluation = z.looseObject({
  rule: z.looseObject({
    type: z.string(),
    definition: z.looseObject({
      name: z.nullish(z.string()),
      type: z.nullish(z.string()),
      for_control: z.nullish(z.string()),
    }),
  }),
  satisfied: z.nullish(z.boolean()),
  ignored: z.nullish(z.boolean()),
  resolutions: z.optional(
    z.array(
      z.looseObject({
        type: z.string(),
        context: z.nullish(
          z.looseObject({
            flow_name: z.nullish(z.string()),
            trail_name: z.nullish(z.string()),
            artifact_status: z.nullish(z.string()),
            for_control: z.nullish(z.string()),
          }),
        ),
      }),
    ),
  ),
});

const policyEvaluation = z.looseObject({
  policy_name: z.string(),
  policy_version: z.optional(z.int()),
  /** `COMPLIANT` or `NON-COMPLIANT` */
  status: z.string(),
  rule_evaluations: z.optional(z.array(ruleEvaluation)),
});

export const assertion = z.looseObject({
  fingerprint: z.string(),
  ...flowVerdict.shape,
  flows: z.nullish(z.union([z.array(flowVerdict), flowVerdict])),
  scope: z.enum(["flow", "environment", "policy"]),
  environment: z.nullish(z.string()),
  policy_evaluations: z.nullish(z.array(policyEvaluation)),
  allow_listing: z.nullish(z.looseObject({ description: z.optional(z.string()) })),
});
export type Assertion = Camel<z.infer<typeof assertion>>;

export const assertArtifact = defineOperation({
  name: "assertArtifact",
  summary: "Say whether an artifact is compliant: in its flows, in an environment or by policies",
  method: "GET",
  path: "/asserts/{org}/fingerprint/{fingerprint}",
  access: "read",
  params: z.object({ fingerprint }),
  query: z.object({
    flow_name: z.optional(z.string()),
    environment_name: z.optional(z.string()),
    policy_name: z.optional(z.array(z.string())),
  }),
  /** 200 for both verdicts: `compliant` holds it. */
  responses: { 200: assertion },
  errors: { 404: "No such artifact, flow, environment or policy" },
});
