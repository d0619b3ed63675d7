import * as z from "zod/mini";
import { attestationFields, attestOperation } from "./attestation-fields.ts";

// In a file of its own, because each step pays start-up time for the schemas that it loads.

export const genericSubmission = z.strictObject({ ...attestationFields, is_compliant: z.boolean() });

/**
 * Records whether a trail, or an artifact of the trail, is compliant, with up to 20 files.
 */
export const attestGeneric = attestOperation({
  name: "attestGeneric",
  kind: "generic",
  summary: "Record a generic attestation",
  schema: genericSubmission,
});
