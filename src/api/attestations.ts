import * as z from "zod/mini";
import { attestationName, fingerprint, fingerprintPrefix, reference, webAddress } from "./names.ts";
import { defineOperation } from "./operation.ts";
import { annotations, originFields } from "./submission.ts";
import type { Camel } from "./wire-names.ts";

/** What an attestation of any kind may say. */
const attestationFields = {
  attestation_name: attestationName,
  ...originFields,
  origin_url: z.nullish(webAddress),
  artifact_fingerprint: z.nullish(fingerprint),
  /** Names of artifacts in the template that the attestation is for, before or after they are reported. */
  target_artifacts: z.nullish(z.array(attestationName)),
  annotations: z.nullish(annotations),
};

export const genericSubmission = z.strictObject({ ...attestationFields, is_compliant: z.boolean() });
export type GenericSubmission = Camel<z.infer<typeof genericSubmission>>;

/** The fields every record has; those of its kind come beside them. */
export const attestationRecord = z.looseObject({
  attestation_id: z.string(),
  attestation_name: z.string(),
  /** A built-in kind, or `custom:<name>`. */
  attestation_type: z.string(),
  is_compliant: z.nullish(z.boolean()),
  /** Unix seconds, fractional. */
  created_at: z.number(),
  description: z.nullish(z.string()),
  /** Whether evidence files are stored with it. */
  has_audit_package: z.optional(z.boolean()),
  html_url: z.nullish(z.string()),
  origin_url: z.nullish(z.string()),
  reported_by: z.nullish(z.string()),
  schema_version: z.optional(z.int()),
  user_data: z.optional(z.unknown()),
});
export type AttestationRecord = Camel<z.infer<typeof attestationRecord>>;

export const attestGeneric = defineOperation({
  name: "attestGeneric",
  summary: "Record a generic attestation on a trail or on an artifact of it",
  method: "POST",
  path: "/attestations/{org}/{flow_name}/trail/{trail_name}/generic",
  access: "write",
  params: z.object({ flow_name: reference, trail_name: reference }),
  body: {
    kind: "multipart",
    part: "data_json",
    schema: genericSubmission,
    files: { attachment_file: { count: "many" } },
  },
  responses: { 201: z.string() },
  errors: { 404: "The artifact is not known in that trail", 413: "An attachment is over 10 MB" },
});

export const getArtifactAttestation = defineOperation({
  name: "getArtifactAttestation",
  summary: "Get the attestations of one name on an artifact, newest first",
  method: "GET",
  path: "/attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}",
  access: "read",
  params: z.object({ flow_name: reference, fingerprint: fingerprintPrefix, attestation_name: reference }),
  responses: { 200: z.array(attestationRecord) },
  errors: { 404: "No such flow or artifact" },
});
