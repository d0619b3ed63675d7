import * as z from "zod/mini";
import { attestationName, fingerprint, reference } from "../names.ts";
import { defineOperation } from "../operation.ts";
import { identifierText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";
import { policyFiles } from "./decision-policies.ts";

/* Evaluations: Rego policies that the service evaluates with Open Policy Agent. */

/** Maximum number of trails of one evaluation. */
export const MAX_EVALUATED_TRAILS = 100;

/** A request stays in memory until its turn comes. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;

const trailOf = { flow: reference, trail: reference };

const evaluatedContext = z.strictObject({
  /** Trails that the policy reads: one as `input.trail`, several as `input.trails`, in this order. */
  trails: z.optional(
    z.array(z.strictObject(trailOf)).check(z.minLength(1), z.maxLength(MAX_EVALUATED_TRAILS)),
  ),
  /** Fingerprint of an artifact that the policy reads as `input.artifact`, with its trails. */
  artifact: z.optional(fingerprint),
  /** Name of an environment. The policy reads a snapshot of it as `input.snapshot`. */
  environment: z.optional(reference),
  /** Number of the snapshot; by default the latest. */
  snapshot: z.optional(z.int().check(z.gte(1))),
});

const evaluatedPolicy = z.strictObject({
  /** Texts of the `.rego` files, by path within the policy. Required without `identifier`. */
  files: z.optional(policyFiles),
  /** Identifier of a published decision policy, in place of files. */
  identifier: z.optional(reference),
  /** Version of the decision policy; by default the latest. */
  version: z.optional(z.int().check(z.gte(1))),
});

const decision = z.strictObject({
  /** Identifier of the decided control, which must exist. */
  control: identifierText.check(z.minLength(1)),
  /** Name of the attestation; by default the control with `-decision`. */
  name: z.optional(attestationName),
  ...trailOf,
  /** Fingerprint of the artifact that the decision is about. By default, the decision is about the trail. */
  fingerprint: z.optional(fingerprint),
});

const request = z.strictObject({
  /** The records that the policy reads, all of the same instant: trails, an artifact or a snapshot. */
  context: evaluatedContext,
  /** Files, or a published decision policy. */
  policy: evaluatedPolicy,
  /** Values that the policy reads as `data.params`. */
  params: z.optional(z.record(z.string(), z.unknown())),
  /** The decision to record with the result. By default, nothing is recorded. */
  decision: z.optional(decision),
});
export type EvaluationRequest = Camel<z.infer<typeof request>>;

const evaluation = z.looseObject({
  id: z.string(),
  /** `completed` has a `result`, `failed` an `error`. A policy that denies is `completed`. */
  status: z.enum(["pending", "completed", "failed"]),
  /** Time of the request, in Unix seconds. */
  requested_at: z.number(),
  /** End of the evaluation, in Unix seconds; null while it is pending. */
  recorded_at: z.nullable(z.number()),
  /** Null without a result. */
  result: z.nullable(
    z.looseObject({
      /** Whether the policy allows it. */
      allow: z.boolean(),
      /** Why it is not allowed. Violations that are not texts are JSON. */
      violations: z.array(z.string()),
      /** Why the policy does not apply; null if it applies. Only the embedded service has it. */
      skipped: z.optional(z.nullable(z.string())),
      /** Program and version, such as `opa 1.22.2`. Only the embedded service has it. */
      engine: z.optional(z.string()),
      /** Time at which the records were read, in Unix seconds. Only the embedded service has it. */
      evaluated_at: z.optional(z.number()),
      /** The sha256 of the policy's `input`: `sha256:` and 64 hex digits. Only the embedded service has it. */
      input_digest: z.optional(z.string()),
    }),
  ),
  /** Why there is no result. */
  error: z.nullable(
    z.looseObject({
      /**
       * `policy`: it does not compile, or breaks its contract. `evaluation`: it failed while it ran. `limit`: it
       * exceeded 10 seconds, 512 MB or the size of the input or result. `engine`: Open Policy Agent failed.
       * `decision`: the decision could not be recorded. `stopped`: the service stopped meanwhile.
       */
      kind: z.string(),
      /** With file and line, if the error has a position. */
      message: z.string(),
    }),
  ),
  /** ID of the attestation with the decision; empty if none was recorded. */
  decision_attestation_id: z.string(),
});
export type EvaluationAnswer = Camel<z.infer<typeof evaluation>>;

/**
 * Evaluates a Rego policy with the records of trails, an artifact or a snapshot. The response is `pending` if the
 * evaluation takes longer than a second: then poll `getEvaluation`. With `decision`, the result is recorded as an
 * attestation in the name of the caller, with the policy and its input as the file `evaluation.tgz`. The policy has no
 * network and no clock, and is stopped after 10 seconds or at 512 MB. The service keeps evaluations for seven days.
 *
 * @example
 * ```ts
 * const { result } = await client.createEvaluation({
 *   body: {
 *     context: { trails: [{ flow: "web", trail: "v1" }] },
 *     policy: { files: { "policy.rego": policy } },
 *     decision: { control: "SDLC-7", flow: "web", trail: "v1" },
 *   },
 * });
 * ```
 */
export const createEvaluation = defineOperation({
  name: "createEvaluation",
  summary: "Evaluate a policy",
  route: "POST /evaluations/{org}",
  access: "attest",
  // The handler checks the places in the context.
  reach: { list: {} },
  heavy: "never",
  body: { kind: "json", schema: request, maxBytes: MAX_REQUEST_BYTES },
  example: {
    context: { trails: [{ flow: "web", trail: "v1" }] },
    policy: {
      files: {
        "policy.rego": "package policy\n\ndefault allow := false\n\nallow if input.trail.is_compliant\n",
      },
    },
    params: {},
    decision: { control: "SDLC-7", name: "SDLC-7-decision", flow: "web", trail: "v1" },
  },
  responses: { 201: evaluation },
  errors: { 404: "No such flow, trail, artifact, environment, snapshot or decision policy" },
  takesIdempotencyKey: true,
});

/** Returns an evaluation of the last seven days. Poll it until the status is `completed` or `failed`. */
export const getEvaluation = defineOperation({
  name: "getEvaluation",
  summary: "Get an evaluation",
  route: "GET /evaluations/{org}/{id}",
  access: "read",
  // The handler checks the places of the evaluation.
  reach: { list: {} },
  heavy: false,
  params: z.object({ id: reference }),
  responses: { 200: evaluation },
  errors: { 404: "No such evaluation" },
});
