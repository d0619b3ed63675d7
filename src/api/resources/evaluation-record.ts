import * as z from "zod/mini";
import { fingerprint } from "../names.ts";

const sha256Digest = z.string().check(z.regex(/^sha256:[a-f0-9]{64}$/));
const name = z.string().check(z.minLength(1));

const evaluatedPolicy = z.looseObject({
  /** For a published policy: its identifier. */
  identifier: z.optional(name),
  /** For a published policy: its version, counted from 1. */
  version: z.optional(z.int()),
  published: z.boolean(),
  /** The sha256 of what `sha256sum` prints for the files, in byte order of their paths. */
  digest: sha256Digest,
  /** The sha256 of each file in hex, by path. */
  files: z.record(z.string(), fingerprint),
});

/** The evaluated records. */
const evaluationContext = z.union([
  z.object({ trails: z.array(z.object({ flow: name, trail: name })).check(z.minLength(1)) }),
  z.object({
    /** Fingerprint of the artifact. */
    artifact: name,
  }),
  z.object({
    environment: name,
    /** Number of the snapshot. */
    snapshot: z.int(),
  }),
]);

/** Evaluation of a Rego policy, as the field `evaluation` in the data of a decision. */
export const evaluationRecord = z.looseObject({
  /** Program and version, such as `opa 1.22.2`. */
  engine: name,
  evaluated_by: z.enum(["service", "client"]),
  policy: evaluatedPolicy,
  params: z.record(z.string(), z.unknown()),
  context: evaluationContext,
  /** Time of the evaluation in Unix seconds. The policy reads it in nanoseconds. */
  evaluated_at: z.number(),
  allow: z.boolean(),
  violations: z.array(z.string()),
  /** Reason why the policy does not apply. Null if it applies. */
  skipped: z.nullable(z.string()),
  /** The sha256 of the document that the policy read as `input`. */
  input_digest: sha256Digest,
});
export type EvaluationRecord = z.infer<typeof evaluationRecord>;
export type EvaluationContext = z.infer<typeof evaluationContext>;
