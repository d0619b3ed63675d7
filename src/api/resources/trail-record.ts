import * as z from "zod/mini";
import { originState, recordOrigin } from "./origin.ts";
import { externalUrl, gitCommitInfo } from "./provenance.ts";

export const complianceState = z.enum(["INCOMPLETE", "COMPLIANT", "NON-COMPLIANT"]);

const attestationStatus = z.looseObject({
  attestation_name: z.string(),
  /** A kind of attestation; while missing, the one that is asked for, `*` for any. */
  attestation_type: z.nullish(z.string()),
  attestation_id: z.nullish(z.string()),
  /** The attestation that this one overrides. */
  overridden_attestation_id: z.nullish(z.string()),
  status: z.nullish(z.enum(["MISSING", "COMPLETE"])),
  /** Null while missing. */
  is_compliant: z.nullish(z.boolean()),
  /** Not asked for by the template. */
  unexpected: z.optional(z.boolean()),
  /** How the attestation compares with what was proven of who made it. Absent for one that was made with an API key. */
  origin_state: z.nullish(originState),
});

export const artifactStatus = z.looseObject({
  artifact_fingerprint: z.nullish(z.string()),
  artifact_id: z.nullish(z.string()),
  status: z.enum(["MISSING", "INCOMPLETE", "COMPLIANT", "NON-COMPLIANT"]),
  is_compliant: z.nullish(z.boolean()),
  attestations_statuses: z.optional(z.array(attestationStatus)),
  unexpected: z.optional(z.boolean()),
  /** Unix seconds. */
  evaluated_at: z.nullish(z.number()),
  flow_template_id: z.nullish(z.string()),
});

/** What a trail holds of what is asked of it. */
export const trailStatus = z.looseObject({
  status: complianceState,
  is_compliant: z.nullish(z.boolean()),
  attestations_statuses: z.optional(z.array(attestationStatus)),
  /** By the name in the template. */
  artifacts_statuses: z.optional(z.record(z.string(), artifactStatus)),
  /** Unix seconds. */
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
  /** Unix seconds, fractional. */
  last_modified_at: z.number(),
  created_at: z.number(),
  compliance_status: trailStatus,
  template: z.looseObject({
    version: z.optional(z.number()),
    trail: z.nullish(z.record(z.string(), z.unknown())),
    /** The template as its author wrote it. */
    content: z.nullish(z.string()),
  }),
  compliance_state: complianceState,
  is_compliant: z.boolean(),
  /** What happened to it, oldest first. Lists leave it out: there may be any number of events. */
  events: z.optional(z.array(z.record(z.string(), z.unknown()))),
  created_by: z.string(),
  origin: recordOrigin,
  flow: z.looseObject({ name: z.string(), tags: z.nullish(z.record(z.string(), z.string())) }),
  external_urls: z.nullish(z.record(z.string(), externalUrl)),
  html_url: z.string(),
});
