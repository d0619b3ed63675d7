import * as z from "zod/mini";
import { fingerprint } from "../names.ts";
import { defineOperation } from "../operation.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";
import { policyEvaluation } from "./policy-evaluations.ts";

const attestationStatus = z.looseObject({
  attestation_name: z.string(),
  attestation_id: z.nullish(z.string()),
  attestation_type: z.nullish(z.string()),
  /** `MISSING` or `COMPLETE`. */
  status: z.nullish(z.string()),
  is_compliant: z.nullish(z.boolean()),
  /** Whether the template does not require it. */
  unexpected: z.optional(z.boolean()),
});

const complianceStatus = z.looseObject({
  artifact_fingerprint: z.nullish(z.string()),
  /** `MISSING`, `INCOMPLETE`, `COMPLIANT` or `NON-COMPLIANT`. */
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

const allowListing = z.looseObject({
  allowlist_id: z.optional(z.string()),
  allowed_by_user_id: z.nullish(z.string()),
  /** Unix seconds. */
  timestamp: z.optional(z.number()),
  description: z.optional(z.string()),
});

const assertion = z.looseObject({
  fingerprint: z.string(),
  // Flow, trail and address belong to the flow of the first report, or to the requested flow.
  ...flowVerdict.shape,
  /**
   * Results by flow, in the order of the first reports. The overall result covers all flows, but a key that is limited
   * to some flows sees only those.
   */
  flows: z.nullish(z.union([z.array(flowVerdict), flowVerdict])),
  scope: z.enum(["flow", "environment", "policy"]),
  environment: z.nullish(z.string()),
  /** Results by policy, in the order of the request; for an environment, sorted by name. */
  policy_evaluations: z.nullish(z.array(policyEvaluation)),
  /** Allowlist entry of the artifact, which overrides the policies. */
  allow_listing: z.nullish(allowListing),
});
export type Assertion = Camel<z.infer<typeof assertion>>;

/** Parameters that choose what is evaluated. */
export const assertQuestion = {
  flow_name: z.optional(shortText),
  /** Name of an environment. Excludes `policy_name`. */
  environment_name: z.optional(shortText),
  policy_name: z.optional(z.array(shortText)),
};

/**
 * Evaluates whether an artifact is compliant: in its flows, in an environment or by policies. The status is 200 for
 * both results; `compliant` has the result.
 */
export const assertArtifact = defineOperation({
  name: "assertArtifact",
  summary: "Assert an artifact",
  route: "GET /asserts/{org}/fingerprint/{fingerprint}",
  access: "assert",
  reach: { list: { flows: "flow_name", environments: "environment_name" } },
  heavy: false,
  params: z.object({ fingerprint }),
  query: z.object(assertQuestion),
  /** The result. The status is 200 for both; see `compliant`. */
  responses: { 200: assertion },
  errors: { 404: "No such artifact, flow, environment or policy" },
});
