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

const allowListing = z.looseObject({
  allowlist_id: z.optional(z.string()),
  allowed_by_user_id: z.nullish(z.string()),
  /** Unix seconds. */
  timestamp: z.optional(z.number()),
  description: z.optional(z.string()),
});

const assertion = z.looseObject({
  fingerprint: z.string(),
  /** Flow, trail and address are of the flow that the artifact was first reported to, or of the one asked about. */
  ...flowVerdict.shape,
  /**
   * In the order in which the artifact came to them. The verdict is of all its flows, also where a key is for some of
   * them: of the others nothing else is told.
   */
  flows: z.nullish(z.union([z.array(flowVerdict), flowVerdict])),
  scope: z.enum(["flow", "environment", "policy"]),
  environment: z.nullish(z.string()),
  /** In the order in which the policies were asked for, or by name for those of an environment. */
  policy_evaluations: z.nullish(z.array(policyEvaluation)),
  /** That the artifact is allowed in the environment whatever the policies say. */
  allow_listing: z.nullish(allowListing),
});
export type Assertion = Camel<z.infer<typeof assertion>>;

/**
 * Evaluates whether an artifact is compliant: in its flows, in an environment or by policies. The status is 200 for
 * both results; `compliant` has the result.
 */
export const assertArtifact = defineOperation({
  name: "assertArtifact",
  summary: "Assert an artifact",
  route: "GET /asserts/{org}/fingerprint/{fingerprint}",
  access: "read",
  reach: { list: { flows: "flow_name", environments: "environment_name" } },
  heavy: false,
  params: z.object({ fingerprint }),
  query: z.object({
    flow_name: z.optional(shortText),
    /** Not together with `policy_name`. */
    environment_name: z.optional(shortText),
    policy_name: z.optional(z.array(shortText)),
  }),
  /** 200 for both verdicts: `compliant` holds it. */
  responses: { 200: assertion },
  errors: { 404: "No such artifact, flow, environment or policy" },
});
