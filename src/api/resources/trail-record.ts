import * as z from "zod/mini";
import { originState, recordOrigin } from "./origin.ts";
import { externalUrl, gitCommitInfo } from "./provenance.ts";

export const complianceState = z.enum(["INCOMPLETE", "COMPLIANT", "NON-COMPLIANT"]);

const attestationStatus = z.looseObject({
  attestation_name: z.string(),
  /** Type of the attestation. If it is missing, the required type, or `*` for any. */
  attestation_type: z.nullish(z.string()),
  attestation_id: z.nullish(z.string()),
  /** ID of the overridden attestation. */
  overridden_attestation_id: z.nullish(z.string()),
  status: z.nullish(z.enum(["MISSING", "COMPLETE"])),
  /** Whether it is compliant; null if it is missing. */
  is_compliant: z.nullish(z.boolean()),
  /** Whether the template does not require it. */
  unexpected: z.optional(z.boolean()),
  /** Comparison with the proven origin. Absent for attestations made with an API key. */
  origin_state: z.nullish(originState),
});

export const artifactStatus = z.looseObject({
  artifact_fingerprint: z.nullish(z.string()),
  artifact_id: z.nullish(z.string()),
  status: z.enum(["MISSING", "INCOMPLETE", "COMPLIANT", "NON-COMPLIANT"]),
  is_compliant: z.nullish(z.boolean()),
  attestations_statuses: z.optional(z.array(attestationStatus)),
  unexpected: z.optional(z.boolean()),
  /** Time of the evaluation, in Unix seconds. */
  evaluated_at: z.nullish(z.number()),
  flow_template_id: z.nullish(z.string()),
});

/** Compliance of the trail, with the status of its artifacts and attestations. */
export const trailStatus = z.looseObject({
  status: complianceState,
  is_compliant: z.nullish(z.boolean()),
  attestations_statuses: z.optional(z.array(attestationStatus)),
  /** Status of each artifact, by its name in the template. */
  artifacts_statuses: z.optional(z.record(z.string(), artifactStatus)),
  /** Time of the evaluation, in Unix seconds. */
  evaluated_at: z.nullish(z.number()),
  flow_template_id: z.nullish(z.string()),
});

export const trailRecord = z.looseObject({
  name: z.string(),
  description: z.nullish(z.string()),
  git_commit_info: z.nullish(gitCommitInfo),
  origin_url: z.nullish(z.string()),
  user_data: z.optional(z.unknown()),
  repo_ids: z.optional(z.array(z.string())),
  /** Time of the last change, in Unix seconds with a fraction. */
  last_modified_at: z.number(),
  created_at: z.number(),
  compliance_status: trailStatus,
  template: z.looseObject({
    version: z.optional(z.number()),
    /** Requirements for the trail. */
    trail: z.nullish(z.record(z.string(), z.unknown())),
    /** YAML text of the template. */
    content: z.nullish(z.string()),
  }),
  compliance_state: complianceState,
  is_compliant: z.boolean(),
  /** Events of the trail, oldest first. Lists omit them. */
  events: z.optional(z.array(z.record(z.string(), z.unknown()))),
  created_by: z.string(),
  origin: recordOrigin,
  /** Flow of the trail. */
  flow: z.looseObject({ name: z.string(), tags: z.nullish(z.record(z.string(), z.string())) }),
  external_urls: z.nullish(z.record(z.string(), externalUrl)),
  html_url: z.string(),
});
